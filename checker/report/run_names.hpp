// Names for the runs of a scenario, to select them by: short, without spaces, and stable.
#pragma once

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Names each run after its model, "stack-sc-fair" or "its-sc-fair-resident-1". The second run
/// under the same model gets a name that ends in "-2", and so on, so names are unique within the
/// scenario. Adding a run under another model, or changing the order of models, renames no run.
void name_runs(scenario& what);

}  // namespace warpcheck
