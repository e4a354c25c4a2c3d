// Chooses the remedy of an inconclusive run by its stop reason, and adds the section that has more.
#include "checker/report/formats/remedy_text.hpp"

#include <string_view>

#include <fmt/format.h>

namespace warpcheck {
namespace {

const way_on& way_on_for(const run_result& result) {
  if (!result.search) return way_on_from(result.stopped.reason);
  switch (result.stopped.reason) {
    case stop_reason::none:
    case stop_reason::interrupted:
    case stop_reason::time:
    case stop_reason::memory:
    case stop_reason::states: return way_on_from_search();
    default: return way_on_from(result.stopped.reason);
  }
}

}  // namespace

std::string remedy_of(const run_result& result) {
  if (result.gravest != verdict::inconclusive) return {};
  const std::string_view usual = way_on_for(result).remedy;
  if (result.grows.empty()) return std::string(usual);
  return fmt::format("{}; if it has a bound, {}", way_on_from_growth().remedy, usual);
}

std::string remedy_with_section(const run_result& result) {
  if (result.gravest != verdict::inconclusive) return {};
  const way_on& way = result.grows.empty() ? way_on_for(result) : way_on_from_growth();
  return fmt::format("Remedy: {} (docs/reports.md, \"{}\").", remedy_of(result), way.section);
}

}  // namespace warpcheck
