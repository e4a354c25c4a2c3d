// Says in one line what a neighbouring model finds in a scenario.
#pragma once

#include <string>

#include "checker/run/result.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// Returns what a neighbouring model finds, in one line. After a livelock under another scheduling,
/// that is fair scheduling. Otherwise it is the other reconvergence model. Empty if the answer does
/// not come soon.
std::string other_model(const scenario& subject, const run_settings& settings,
                        const run_result& found);

}  // namespace warpcheck
