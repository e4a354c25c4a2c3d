// Writes a counterexample in the Trace Event Format, for Perfetto (ui.perfetto.dev) and
// chrome://tracing. Blocks are processes, lanes are threads, and each step takes one microsecond.
//
// Source: Google, Trace Event Format (JSON object format).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checker/report/report.hpp"

namespace warpcheck {

nlohmann::ordered_json trace_events(const shown_violation& shown, const simt::grid_shape& grid);

}  // namespace warpcheck
