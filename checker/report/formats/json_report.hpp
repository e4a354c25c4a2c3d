// Results for programs, as JSON of version 1: docs/ci.md has the fields.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checker/report/report.hpp"

namespace warpcheck {

inline constexpr int json_version = 1;

/// The whole document. `results`: an array.
nlohmann::ordered_json results_document(nlohmann::ordered_json results);

/// One element of "results".
nlohmann::ordered_json to_json(const run_report& report);

/// One element of "violations".
nlohmann::ordered_json to_json(const shown_violation& shown, const simt::grid_shape& grid);

/// The guarantees that hold or fail; the others were not asked about, or are not decided.
nlohmann::ordered_json to_json(const progress_answers& answers);

}  // namespace warpcheck
