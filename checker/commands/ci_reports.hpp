// Writes the files that `run` leaves for a CI server: results (--results), JUnit (--junit) and
// SARIF (--sarif). Also prints annotations (--github).
//
// The files exist from the start, so a path that cannot be written is reported before anything
// runs. They are replaced as runs end. So they are whole and true at any time, even if the process
// is killed. Then JUnit's run in progress is an error, and the rest is skipped.
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
  /// Throws usage_error if a file cannot be written.
  ci_reports(const run_options& options, const scenarios_read& all);

  /// In a child process: from now on this object writes no files, and forgets what the parent has.
  void become_part();
  /// In a child process: returns what it knows about a scenario.
  [[nodiscard]] nlohmann::ordered_json part(const scenario& subject) const;
  /// In the parent: takes in what a child knows.
  void take(const nlohmann::ordered_json& part);

  void begin(const scenario& subject, const run_settings& settings);
  /// Keeps the result in the files.
  void end(const run_report& report);
  /// Prints the annotation of a run that has ended.
  void annotate(const run_report& report) const;
  /// Notes that the runs of `subject` without a result cannot be carried out.
  void refuse(const scenario& subject, std::string_view message);
  /// Notes that a defect of ours ends everything, in the run that was begun last.
  void fail(std::string_view message);
  /// Call it when nothing more will be run. `interrupted`: not all runs were made. Throws
  /// usage_error if a file cannot be written any more.
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
  clock::duration writing_{};  // time that writing has taken so far

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
