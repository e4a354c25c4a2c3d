#include <stdexcept>

#include <fmt/format.h>

#include "checker/report/cause.hpp"
#include "checker/report/report.hpp"

namespace warpcheck {

std::vector<shown_violation> show(session& run, names& named, const run_result& result) {
  std::vector<shown_violation> shown;
  for (const violation& v : result.violations) {
    shown_violation one;
    one.what = v;
    try {
      one.how = follow(run, named, v.how);
    } catch (const cannot_follow& error) {
      throw std::logic_error(
          fmt::format("{}: a counterexample cannot be replayed: {}", name(v.kind), error.what()));
    }
    if (const std::string why = not_shown(run, one.how, v.kind); !why.empty()) {
      throw std::logic_error(
          fmt::format("{}: the replayed counterexample does not show it: {}", name(v.kind), why));
    }
    one.table = make_table(run, named, one.how);
    one.why = cause(run, named, v, one.how);
    one.ending = ending(run, v, one.how);
    one.remedy = remedy(run, v, one.how);
    shown.push_back(std::move(one));
  }
  return shown;
}

}  // namespace warpcheck
