// Writes results for test runners as JUnit XML: one suite for each scenario file, one case for each
// run.
//
// JUnit XML has no standard. The output follows the schema of Jenkins' xUnit plugin (junit-10.xsd),
// and has the attribute `file` of cases, which GitLab, CircleCI and others read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/report/report.hpp"

namespace warpcheck {

struct junit_case {
  enum class kind {
    passed,
    failed,   // <failure>: the run ended otherwise than expected
    error,    // <error>: how the run ends is not known
    skipped,  // <skipped>: the run was not begun
  };
  std::string name;
  kind what = kind::skipped;
  double seconds = 0;
  std::string type;     // "simt-deadlock", "inconclusive", ...; empty if the case passed
  std::string message;  // one line; empty if the case passed
  std::string text;     // the whole report
};

struct junit_suite {
  std::string file;  // the scenario's file, as a person would type it
  std::string title, subject;
  std::vector<junit_case> cases;
};

/// Makes a case of a run that has ended.
junit_case to_junit(const run_report& report);

/// Says in a few words how a run ended that did not end as expected: "simt-deadlock, expected ok".
std::string unexpected_ending(const run_report& report);

/// Returns the one case of a document that to_junit() made. Nothing: the document has none, or
/// several.
std::optional<junit_case> case_in(const std::string& document);

/// Returns the present time in UTC: "2026-01-31T23:59:59".
std::string junit_time_now();

/// Returns the document. `began` is the time of the beginning, from junit_time_now().
std::string to_junit(const std::vector<junit_suite>& suites, const std::string& began);

}  // namespace warpcheck
