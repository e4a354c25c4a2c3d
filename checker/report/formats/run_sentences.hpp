// What a report says of a run beside its counterexamples, for every report that is read by people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/report/report.hpp"

namespace warpcheck {

/// "✓" as expected, "?" inconclusive, "✗" otherwise.
std::string_view mark_of(const run_report& report);

/// "1 state  0.000 s"
std::string size_of(const run_report& report);

/// What stands below the headline: what was expected, what was not covered, what to do about it.
std::vector<std::string> notes_about(const run_report& report);

/// What an `ok` covers.
std::vector<std::string> scope_of_ok(const run_report& report);

/// What was found about ABA. `no_violation`: every run was looked at, and none has a violation.
std::vector<std::string> sentences_about(const benign_aba& aba, bool no_violation);

/// "warpcheck replay found/x.json --step", of a violation with a file.
std::string replay_command(const shown_violation& shown);

}  // namespace warpcheck
