// Applies the options of `run` to the settings and limits of one run.
#pragma once

#include "checker/commands/commands.hpp"
#include "checker/run/limits.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

run_settings as_asked(const run_options& options, const run_settings& settings);

/// Returns the limits of a run. `spent`: seconds of its time that are already over.
limits limits_of(const run_options& options, double spent);

/// Returns the patience for host code, within the time of the run.
simt::patience patience_of(const run_options& options, double spent);

}  // namespace warpcheck
