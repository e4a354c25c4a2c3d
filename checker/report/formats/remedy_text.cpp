// The remedy of an inconclusive run as a sentence, with the section that has more.
#include "checker/report/formats/remedy_text.hpp"

#include <fmt/format.h>

namespace warpcheck {
namespace {

const way_on& way_on_for(const run_result& result) {
  if (!result.grows.empty()) return way_on_from_growth();
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
  return std::string(way_on_for(result).remedy);
}

std::string remedy_with_section(const run_result& result) {
  if (result.gravest != verdict::inconclusive) return {};
  return fmt::format("Remedy: {} (docs/reports.md, \"{}\").", remedy_of(result),
                     way_on_for(result).section);
}

}  // namespace warpcheck
