// Reads and writes the text of the option --reduce.
#include "checker/run/reductions.hpp"

#include <array>

#include <fmt/format.h>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {
namespace {

struct named_reduction {
  std::string_view name;
  bool reductions::*flag;
};
constexpr std::array all{named_reduction{"merge", &reductions::merge},
                         named_reduction{"symmetry", &reductions::symmetry},
                         named_reduction{"order", &reductions::order},
                         named_reduction{"dead", &reductions::dead},
                         named_reduction{"fences", &reductions::fences}};

}  // namespace

reductions reductions_from(std::string_view text) {
  if (text == "all") return {};
  reductions result = reductions::none();
  if (text == "none") return result;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    bool known = false;
    for (const auto& [name, flag] : all) {
      if (name != one) continue;
      result.*flag = true;
      known = true;
    }
    if (!known) {
      throw usage_error(fmt::format(
          "--reduce: there is no reduction \"{}\" to be listed with others; write all alone, "
          "none alone, or some of merge, symmetry, order, dead, fences, with commas between",
          one));
    }
  }
  return result;
}

std::string to_text(const reductions& which) {
  std::string text;
  for (const auto& [name, flag] : all) {
    if (!(which.*flag)) continue;
    if (!text.empty()) text += ',';
    text += name;
  }
  return text.empty() ? "none" : text;
}

}  // namespace warpcheck
