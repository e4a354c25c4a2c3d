// Writes results for programs, as JSON of version 1. docs/ci.md has the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checker/report/report.hpp"

namespace warpcheck {

inline constexpr int json_version = 1;

/// Returns the whole document. `results` must be an array.
nlohmann::ordered_json results_document(nlohmann::ordered_json results);

/// Returns one element of "results".
nlohmann::ordered_json to_json(const run_report& report);

/// Returns one element of "violations".
nlohmann::ordered_json to_json(const shown_violation& shown, const simt::grid_shape& grid);

/// Returns the guarantees that hold or fail. The others were not asked about, or are not decided.
nlohmann::ordered_json to_json(const progress_answers& answers);
/// By operation: the most steps that it takes, or null.
nlohmann::ordered_json steps_json(const progress_answers& answers);

}  // namespace warpcheck
