// Picks some of the runs that scenario files have, for run --only and -k.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Keeps the runs with one of these names, and the scenarios that have such runs. Throws
/// usage_error for a name that no run has.
std::vector<scenario> select_runs(std::vector<scenario> scenarios,
                                  const std::vector<std::string>& names);

/// Keeps the runs whose "FILE RUN", as a person would type it, contains one of these parts, in
/// upper or lower case. Throws usage_error if no run is left.
std::vector<scenario> select_matching(std::vector<scenario> scenarios,
                                      const std::vector<std::string>& parts);

}  // namespace warpcheck
