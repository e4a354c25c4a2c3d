// Names for the runs of a scenario, to select them by: short, without spaces, and stable.
#pragma once

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Names each run after its model, "stack-sc-fair" or "its-sc-fair-resident-1". Of several runs
/// under the same model the second one's name ends in "-2", and so on, so that names are unique
/// within the scenario. Adding a run under another model, or changing their order, renames none.
void name_runs(scenario& what);

}  // namespace warpcheck
