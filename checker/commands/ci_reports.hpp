// What `run` leaves for a CI server: results (--results), a JUnit file (--junit), SARIF (--sarif)
// and annotations (--github).
//
// The files are there from the start, so that a path that cannot be written is told before anything
// is run, and are replaced as runs end. So they are whole and true at any time, also when the
// process is killed: then JUnit's run that it was in is an error, and the rest is skipped.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "checker/commands/commands.hpp"
#include "checker/console/read_all.hpp"
#include "checker/report/formats/github_annotation.hpp"
#include "checker/report/formats/junit_report.hpp"
#include "checker/report/report.hpp"

namespace warpcheck {

class ci_reports {
 public:
  /// Throws usage_error where a file cannot be written.
  ci_reports(const run_options& options, const scenarios_read& all);

  /// In a child process: from now on it writes no files, and has nothing of what the parent has.
  void become_part();
  /// In a child process: what it knows of a scenario.
  [[nodiscard]] nlohmann::ordered_json part(const scenario& subject) const;
  /// In the parent.
  void take(const nlohmann::ordered_json& part);

  void begin(const scenario& subject, const run_settings& settings);
  /// Keeps the result in the files.
  void end(const run_report& report);
  /// Prints the annotation of a run that has ended.
  void annotate(const run_report& report) const;
  /// The runs of `subject` that have no result yet cannot be carried out.
  void refuse(const scenario& subject, std::string_view message);
  /// A defect of ours ends everything, in the run that was begun last.
  void fail(std::string_view message);
  /// Nothing more will be run. `interrupted`: not all that should have been. Throws usage_error
  /// where a file cannot be written any more.
  void finish(bool interrupted);

 private:
  std::optional<std::filesystem::path> results_file_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();  // of the runs that have ended
  std::optional<std::filesystem::path> junit_file_;
  std::optional<std::filesystem::path> sarif_file_;
  nlohmann::ordered_json sarif_results_ = nlohmann::ordered_json::array();
  std::vector<std::string> refusals_;
  bool github_;
  bool writes_ = true;
  checkout where_;
  std::string began_;
  std::vector<junit_suite> suites_;
  junit_case* current_ = nullptr;
  using clock = std::chrono::steady_clock;
  clock::time_point start_ = clock::now();
  clock::duration writing_{};  // what writing has taken so far

  void add_suite(const scenario& subject);
  void add_refused(const refusal& what);
  void skip_rest(std::string_view why);
  junit_case* find(const std::string& file, const std::string& run);
  void annotate_refusal(const std::filesystem::path& file, std::string_view message) const;
  void write();
  void write_if_possible();
  void write_if_cheap();
};

}  // namespace warpcheck
