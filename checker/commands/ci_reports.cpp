// Keeps a case for each run, and replaces the files when that is cheap.
#include "checker/commands/ci_reports.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <regex>

#include "checker/console/standard_output.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/sarif_report.hpp"
#include "checker/text/json_text.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;
using kind = junit_case::kind;

constexpr std::string_view not_run = "not-run";  // type of a case without a result

checkout this_checkout() {
  const char* workspace = std::getenv("GITHUB_WORKSPACE");  // GitHub's runner sets this variable
  const fs::path root =
      workspace != nullptr && *workspace != 0 ? fs::path(workspace) : fs::current_path();
  return {fs::absolute(root).lexically_normal(), warpcheck_paths::include_dir()};
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

void set(junit_case& one, kind what, std::string_view type, std::string_view message) {
  one.what = what;
  one.type = type;
  one.message = first_line(message);
  one.text = message;
}

}  // namespace

ci_reports::ci_reports(const run_options& options, const scenarios_read& all)
    : results_file_(options.results),
      junit_file_(options.junit),
      sarif_file_(options.sarif),
      github_(options.github),
      where_(this_checkout()),
      began_(junit_time_now()) {
  for (const scenario& subject : all.scenarios) add_suite(subject);
  for (const refusal& what : all.refused) add_refused(what);
  if (!all.refused.empty()) skip_rest("not run: there are scenario files that cannot be read");
  write();
}

void ci_reports::add_suite(const scenario& subject) {
  junit_suite suite{readable_path(subject.file), subject.title, subject.subject, {}};
  for (const run_settings& run : subject.runs) {
    junit_case one;
    one.name = run.name;
    set(one, kind::skipped, not_run, "not run: warpcheck ended before it came to it");
    suite.cases.push_back(one);
  }
  suites_.push_back(std::move(suite));
}

void ci_reports::add_refused(const refusal& what) {
  junit_case one;
  one.name = "read";
  set(one, kind::error, "refused", what.message);
  suites_.push_back({readable_path(what.file), {}, {}, {one}});
  refusals_.push_back(what.message);
  if (github_) annotate_refusal(what.file, what.message);
}

junit_case* ci_reports::find(const std::string& file, const std::string& run) {
  for (junit_suite& suite : suites_) {
    if (suite.file != file) continue;
    for (junit_case& one : suite.cases) {
      if (one.name == run) return &one;
    }
  }
  return nullptr;
}

void ci_reports::begin(const scenario& subject, const run_settings& settings) {
  current_ = find(readable_path(subject.file), settings.name);
  if (current_ == nullptr) return;
  set(*current_, kind::error, "unfinished", "warpcheck was ended from outside during this run");
  write_if_cheap();
}

void ci_reports::end(const run_report& report) {
  if (current_ != nullptr && junit_file_) *current_ = to_junit(report);
  current_ = nullptr;
  if (results_file_) results_.push_back(to_json(report));
  if (sarif_file_ && !report.as_expected) sarif_results_.push_back(sarif_result(report, where_));
  write_if_cheap();
}

void ci_reports::annotate(const run_report& report) const {
  if (!github_ || report.as_expected) return;
  fmt::print("{}", github_error(warpcheck::annotate(report, where_)));
  flush_output();
}

void ci_reports::refuse(const scenario& subject, std::string_view message) {
  for (junit_suite& suite : suites_) {
    if (suite.file != readable_path(subject.file)) continue;
    for (junit_case& one : suite.cases) {
      if (&one == current_ || one.type == not_run) set(one, kind::error, "refused", message);
    }
  }
  current_ = nullptr;
  refusals_.emplace_back(message);
  if (github_) annotate_refusal(subject.file, message);
}

void ci_reports::fail(std::string_view message) {
  if (current_ != nullptr) set(*current_, kind::error, "internal-defect", message);
  current_ = nullptr;
  write_if_possible();
}

void ci_reports::finish(bool interrupted) {
  if (interrupted) skip_rest("not run: warpcheck was interrupted");
  write();
}

void ci_reports::skip_rest(std::string_view why) {
  for (junit_suite& suite : suites_) {
    for (junit_case& one : suite.cases) {
      if (one.type == not_run) set(one, kind::skipped, not_run, why);
    }
  }
}

// Messages may begin with the place, "file:line:column: ", in the scenario or in what the compiler
// was given. Then the annotation stands there.
void ci_reports::annotate_refusal(const fs::path& file, std::string_view message) const {
  annotation what{where_.name_of(file), 0, where_.name_of(file) + ": cannot be run",
                  std::string(message)};
  static const std::regex place("^([^\n]+?):([0-9]{1,9}):");
  std::match_results<std::string_view::const_iterator> found;
  if (std::regex_search(message.begin(), message.end(), found, place,
                        std::regex_constants::match_continuous)) {
    const fs::path named = fs::absolute(found[1].str()).lexically_normal();
    if (where_.has_users(named)) {
      what.file = where_.name_of(named);
      what.line = static_cast<std::uint32_t>(std::stoul(found[2].str()));
    }
  }
  fmt::print("{}", github_error(what));
  flush_output();
}

void ci_reports::become_part() {
  writes_ = false;
  results_ = nlohmann::ordered_json::array();
  sarif_results_ = nlohmann::ordered_json::array();
  refusals_.clear();
}

nlohmann::ordered_json ci_reports::part(const scenario& subject) const {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  const std::string file = readable_path(subject.file);
  for (const junit_suite& suite : suites_) {
    if (suite.file != file) continue;
    for (const junit_case& one : suite.cases) {
      cases.push_back({one.name, one.what, one.seconds, one.type, one.message, one.text});
    }
  }
  return {{"file", file},
          {"cases", std::move(cases)},
          {"results", results_},
          {"sarif", sarif_results_},
          {"refusals", refusals_}};
}

void ci_reports::take(const nlohmann::ordered_json& part) {
  for (const auto& one : part["cases"]) {
    junit_case* const mine = find(part["file"].get<std::string>(), one[0].get<std::string>());
    if (mine == nullptr) continue;
    mine->what = one[1].get<kind>();
    mine->seconds = one[2].get<double>();
    mine->type = one[3].get<std::string>();
    mine->message = one[4].get<std::string>();
    mine->text = one[5].get<std::string>();
  }
  for (const auto& one : part["results"]) results_.push_back(one);
  for (const auto& one : part["sarif"]) sarif_results_.push_back(one);
  for (const auto& one : part["refusals"]) refusals_.push_back(one.get<std::string>());
  write_if_cheap();
}

void ci_reports::write() {
  if (!writes_) return;
  const auto before = clock::now();
  if (results_file_) {
    write_whole(*results_file_, json_text(results_document(results_)) + '\n', "--results");
  }
  if (junit_file_) write_whole(*junit_file_, to_junit(suites_, began_), "--junit");
  if (sarif_file_) {
    const auto document =
        sarif_document(sarif_results_, refusals_, std::string(warpcheck_paths::version));
    write_whole(*sarif_file_, json_text(document) + '\n', "--sarif");
  }
  writing_ += clock::now() - before;
}

// A disk may be full for a while. What counts is the last time, in finish().
void ci_reports::write_if_possible() {
  try {
    write();
  } catch (const usage_error&) {
  }
}

// A file of many thousands of runs is not written again for each of them. After the first second,
// only a twentieth of the time goes into writing.
void ci_reports::write_if_cheap() {
  if (writing_ < std::chrono::seconds(1) + (clock::now() - start_) / 20) write_if_possible();
}

}  // namespace warpcheck
