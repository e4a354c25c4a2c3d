// What a neighbouring model makes of a scenario.
#pragma once

#include <string>

#include "checker/run/result.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// What a neighbouring model makes of the same scenario, in one line: fair scheduling where an
/// other one made a livelock, otherwise the other reconvergence model. Empty where that is not
/// known soon.
std::string other_model(const scenario& subject, const run_settings& settings,
                        const run_result& found);

}  // namespace warpcheck
