// Says what can be done about a run that is inconclusive.
#pragma once

#include <string>

#include "checker/run/result.hpp"

namespace warpcheck {

/// Returns a sentence; empty if the run has another verdict.
std::string remedy_of(const run_result& result);

/// Returns the sentence with the section of docs/reports.md that has more.
std::string remedy_with_section(const run_result& result);

}  // namespace warpcheck
