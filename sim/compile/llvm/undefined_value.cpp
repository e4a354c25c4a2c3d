// Looks for uses of values that LLVM calls poison.
#include "sim/compile/llvm/undefined_value.hpp"

#include <algorithm>
#include <initializer_list>

#include "sim/compile/llvm/llvm_types.hpp"

namespace simt::detail {
namespace {

/// Whether the line may have "poison" for harmless reasons: as the begin of a value of several
/// parts, as one arm of a phi, or in debug information.
bool may_have_it(std::string_view line) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{" = insertvalue ", " = insertelement ",
                                              " = shufflevector ", " = phi ", "#dbg_", "metadata "},
      [&](std::string_view part) { return line.find(part) != std::string_view::npos; });
}

}  // namespace

std::string_view type_of_undefined(std::string_view line) {
  constexpr std::string_view name = " poison";
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos || !line.starts_with("  ") || may_have_it(line)) return {};
  std::string_view before = line.substr(0, at);
  if (before.ends_with(" noundef")) before.remove_suffix(8);
  const std::string_view type = before.substr(before.find_last_of(" (") + 1);
  return type == "i1" || is_seen(type) ? type : std::string_view{};
}

std::optional<source_place> find_undefined_value(std::istream& module) {
  const auto is_use = [](std::string_view line) {
    return line.find("asm sideeffect \"# kept\"") != std::string_view::npos &&
           !type_of_undefined(line).empty();
  };
  // The line that sets a parameter has no place. A later use of the parameter has one.
  constexpr std::size_t some = 16;
  const std::vector<source_place> places = places_in_device_code(module, is_use, some);
  if (places.empty()) return std::nullopt;
  const auto known = std::ranges::find_if(places, [](const auto& p) { return p.line != 0; });
  return known == places.end() ? places.front() : *known;
}

}  // namespace simt::detail
