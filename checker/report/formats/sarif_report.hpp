// Writes results as SARIF 2.1.0, for code scanning: one result for each run that is not as
// expected.
//
// Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "checker/report/formats/github_annotation.hpp"
#include "checker/report/report.hpp"

namespace warpcheck {

/// Returns what is wrong with a run that is not as expected, at the place of its annotation. The
/// steps of its counterexample are a code flow.
nlohmann::ordered_json sarif_result(const run_report& report, const checkout& where);

/// Returns the whole document. `refused`: messages about scenarios that could not be run.
nlohmann::ordered_json sarif_document(const nlohmann::ordered_json& results,
                                      const std::vector<std::string>& refused,
                                      const std::string& version);

}  // namespace warpcheck
