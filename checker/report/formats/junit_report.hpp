// Results for test runners: JUnit XML, one suite a scenario file, one case a run.
//
// There is no standard; what is written is what the schema of Jenkins' xUnit plugin has
// (junit-10.xsd), and the attribute `file` of cases, which GitLab, CircleCI and others read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/report/report.hpp"

namespace warpcheck {

struct junit_case {
  enum class kind {
    passed,
    failed,   // <failure>: a run ended otherwise than expected
    error,    // <error>: it cannot be said how it ends
    skipped,  // <skipped>: it was not begun
  };
  std::string name;
  kind what = kind::skipped;
  double seconds = 0;
  std::string type;     // "simt-deadlock", "inconclusive", ...; not of passed ones
  std::string message;  // one line; not of passed ones
  std::string text;     // the whole story
};

struct junit_suite {
  std::string file;  // of the scenario, as a person would type it
  std::string title, subject;
  std::vector<junit_case> cases;
};

/// A run that has ended.
junit_case to_junit(const run_report& report);

/// "simt-deadlock, expected ok": how a run ended that did not end as expected, in a few words.
std::string unexpected_ending(const run_report& report);

/// The one case of a document that to_junit() made. Nothing: it has none, or several.
std::optional<junit_case> case_in(const std::string& document);

/// "2026-01-31T23:59:59": now, in UTC.
std::string junit_time_now();

/// The document. `began`: when, as junit_time_now() said.
std::string to_junit(const std::vector<junit_suite>& suites, const std::string& began);

}  // namespace warpcheck
