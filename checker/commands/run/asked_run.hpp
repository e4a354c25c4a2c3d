// What the options of `run` make of a run: its settings, its limits.
#pragma once

#include "checker/commands/commands.hpp"
#include "checker/run/limits.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

run_settings as_asked(const run_options& options, const run_settings& settings);

/// `spent`: seconds of the time that it may take, which are over.
limits limits_of(const run_options& options, double spent);

/// For its host code, within the time of the run.
simt::patience patience_of(const run_options& options, double spent);

}  // namespace warpcheck
