// Puts into words what grows, with the names of the source.
#include "checker/report/cause/growth.hpp"

#include <fmt/format.h>

#include "checker/text/plain_text.hpp"

namespace warpcheck {

std::vector<shown_growth> show_growth(names& named, const run_result& result) {
  std::vector<shown_growth> all;
  for (const growing_value& one : result.grows) {
    shown_growth shown;
    shown.what = one;
    if (one.address != 0) {
      shown.variable = named.variable(one.address);
      shown.text = fmt::format("{} goes on from {} to {}", shown.variable, one.from, one.to);
    } else {
      shown.at = named.place(one.pc);
      shown.text = fmt::format("local variables of lanes at {} have {} different values or more",
                               shown.at.text_with_function(), grouped(one.times));
    }
    all.push_back(std::move(shown));
  }
  return all;
}

}  // namespace warpcheck
