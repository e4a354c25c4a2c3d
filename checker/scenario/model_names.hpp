// Puts the model of a run into words.
#pragma once

#include <string>
#include <string_view>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

std::string_view reconvergence_name(const run_settings& settings);
std::string_view memory_name(const run_settings& settings);
std::string_view progress_name(const run_settings& settings);
std::string_view fairness_name(const run_settings& settings);
/// Returns "[stack, sc, fair]", with limits on blocks if there are any.
std::string model_label(const run_settings& settings);

}  // namespace warpcheck
