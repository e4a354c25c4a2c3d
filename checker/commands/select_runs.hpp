// run --only: some of the runs that scenario files have.
#pragma once

#include <string>
#include <vector>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Keeps the runs with one of these names, and the scenarios that have such runs. Throws
/// usage_error for a name that no scenario has a run of.
std::vector<scenario> select_runs(std::vector<scenario> scenarios,
                                  const std::vector<std::string>& names);

}  // namespace warpcheck
