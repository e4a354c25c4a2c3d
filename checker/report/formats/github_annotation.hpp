// Makes annotations for GitHub Actions: lines on stdout that its runner shows beside the source.
//
// The form is that of GitHub's documentation, "Workflow commands", ::error. Values are escaped as
// in the runner's ActionCommand (message: % CR LF; properties: also : and ,).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "checker/report/report.hpp"

namespace warpcheck {

struct annotation {
  std::string file;        // relative to the root of the checkout
  std::uint32_t line = 0;  // 0: the file as a whole
  std::string title;
  std::string message;  // may have several lines
};

/// Returns "::error file=locks/mine.hpp,line=7,title=...::..." and a line break.
std::string github_error(const annotation& what);

/// Says which files a person can change, and how they are named.
struct checkout {
  std::filesystem::path root;  // absolute
  std::filesystem::path api;   // absolute; files below it are not the user's

  /// Returns `path` relative to the root if it lies below it, otherwise as it is.
  [[nodiscard]] std::string name_of(const std::filesystem::path& path) const;
  /// Whether such a file exists below the root, and is not the API's.
  [[nodiscard]] bool has_users(const std::filesystem::path& path) const;
};

/// Makes the annotation of a run that did not end as expected. It stands at the counterexample's
/// last step in a file of the user's, or, without such a step, at the run in the scenario.
annotation annotate(const run_report& report, const checkout& where);

/// Returns the violation that makes a run wrong: the gravest that was not expected, if there is
/// one. Null: the run has no violation.
const shown_violation* unexpected_violation(const run_report& report);

}  // namespace warpcheck
