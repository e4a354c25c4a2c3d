// What the verdict of a run rests on: of the scenario's clauses, those that concern the run.
#pragma once

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// A clause that begins so concerns only runs whose schedules must leave the same values.
inline constexpr std::string_view where_deterministic = "with --deterministic, ";

inline std::vector<std::string> clauses_for(const scenario& what, const run_settings& how) {
  std::vector<std::string> all;
  for (const std::string& clause : what.rests_on) {
    if (how.deterministic || !clause.starts_with(where_deterministic)) all.push_back(clause);
  }
  return all;
}

}  // namespace warpcheck
