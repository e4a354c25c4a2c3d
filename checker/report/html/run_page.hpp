// Turns runs and their counterexamples into the document of a page (page.hpp).
//
// A document has "runs". A run has its headline, notes and "violations". A violation has the
// sentences and the table that the terminal shows, and the state before each move and at the end.
// Such a state only has the lanes and memory that differ from the state before. Places are [file,
// line]. The file is a number in "sources", which has each file's text once.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "checker/report/report.hpp"

namespace warpcheck {

class run_page {
 public:
  /// `in_full` adds its counterexamples, which must have their moments.
  void add(const run_report& report, bool in_full);
  /// Adds a counterexample that was replayed. `label` is the file and model. `note` may be empty.
  void add(const shown_violation& shown, const simt::grid_shape& grid, const std::string& label,
           const std::string& note);
  /// Parts of pages of other kinds: a place, a state in full, and all files of such places so far.
  nlohmann::ordered_json place(const source_place& at);
  nlohmann::ordered_json state_in_full(const moment& now) { return state(now, nullptr); }
  [[nodiscard]] const nlohmann::ordered_json& sources() const { return sources_; }
  /// `title` is what the page is about. `summary` is the last line, and may be empty.
  [[nodiscard]] nlohmann::ordered_json document(const std::string& title,
                                                const std::string& summary) const;

 private:
  using json = nlohmann::ordered_json;
  json runs_ = json::array();
  json sources_ = json::array();
  std::map<std::string, std::size_t> numbers_;  // of files in `sources_`, by path
  std::filesystem::path beside_;  // PTX names sources where they were compiled, maybe elsewhere

  json violation(const shown_violation& shown, const simt::grid_shape& grid);
  json table(const trace_table& table);
  json moments(const execution_moments& all);
  json state(const moment& now, const moment* before);
};

}  // namespace warpcheck
