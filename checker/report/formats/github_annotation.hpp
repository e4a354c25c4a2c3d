// Annotations for GitHub Actions: lines on stdout that its runner shows beside the source.
//
// Their form: GitHub's documentation, "Workflow commands", ::error. How values are escaped: the
// runner's ActionCommand (message: % CR LF; properties: also : and ,).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "checker/report/report.hpp"

namespace warpcheck {

struct annotation {
  std::string file;        // relative to the root of the checkout
  std::uint32_t line = 0;  // 0: of the file as a whole
  std::string title;
  std::string message;  // may have several lines
};

/// "::error file=locks/mine.hpp,line=7,title=...::..." and a line break.
std::string github_error(const annotation& what);

/// Which files a person can change, and how they are named.
struct checkout {
  std::filesystem::path root;  // absolute
  std::filesystem::path api;   // absolute: below it nothing is the user's

  /// `path` relative to the root where it is below it, else as it is.
  [[nodiscard]] std::string name_of(const std::filesystem::path& path) const;
  /// There is such a file below the root, and it is not the API's.
  [[nodiscard]] bool has_users(const std::filesystem::path& path) const;
};

/// Of a run that did not end as expected. The place is that of the counterexample's last step that
/// has one in a file of the user's, or that of the run in the scenario.
annotation annotate(const run_report& report, const checkout& where);

/// The violation that a run is wrong for: the gravest that was not expected, where there is one.
/// Null: it has none.
const shown_violation* unexpected_violation(const run_report& report);

}  // namespace warpcheck
