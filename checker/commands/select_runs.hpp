// run --only and -k: some of the runs that scenario files have.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Keeps the runs with one of these names, and the scenarios that have such runs. Throws
/// usage_error for a name that no scenario has a run of.
std::vector<scenario> select_runs(std::vector<scenario> scenarios,
                                  const std::vector<std::string>& names);

/// Keeps the runs of which "FILE RUN", as a person would type it, has one of these parts, whatever
/// the case of letters. Throws usage_error where none is left.
std::vector<scenario> select_matching(std::vector<scenario> scenarios,
                                      const std::vector<std::string>& parts);

}  // namespace warpcheck
