// Says what a report adds to the counterexamples of a run, for every report that people read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/report/report.hpp"

namespace warpcheck {

/// Returns "✓" for a run as expected, "?" if it is inconclusive, "✗" otherwise.
std::string_view mark_of(const run_report& report);

/// Returns "1 state  0.000 s".
std::string size_of(const run_report& report);

/// Returns what stands below the headline: what was expected, what was not covered, and what to do.
std::vector<std::string> notes_about(const run_report& report);

/// Returns what an `ok` covers.
std::vector<std::string> scope_of_ok(const run_report& report);

/// Returns what was found about ABA. `no_violation`: every run was looked at, and none has a
/// violation.
std::vector<std::string> sentences_about(const benign_aba& aba, bool no_violation);

/// Returns "warpcheck replay found/x.json --step", for a violation with a file.
std::string replay_command(const shown_violation& shown);

}  // namespace warpcheck
