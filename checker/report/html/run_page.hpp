// Runs and their counterexamples as the document of a page (page.hpp).
//
// A document has "runs"; a run has its headline, notes and "violations"; a violation has the
// sentences and the table that the terminal shows, and the state before each move and at the end.
// Of lanes and memory, a state has only what differs from the state before. Places are [file,
// line], the file by its number in "sources", which has each file's text once.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "checker/report/report.hpp"

namespace warpcheck {

class run_page {
 public:
  /// `in_full`: with its counterexamples, which must have their moments.
  void add(const run_report& report, bool in_full);
  /// A counterexample that was replayed. `label`: file and model. `note`: may be empty.
  void add(const shown_violation& shown, const simt::grid_shape& grid, const std::string& label,
           const std::string& note);
  /// `title`: what the page is about. `summary`: the last line; may be empty.
  [[nodiscard]] nlohmann::ordered_json document(const std::string& title,
                                                const std::string& summary) const;

 private:
  using json = nlohmann::ordered_json;
  json runs_ = json::array();
  json sources_ = json::array();
  std::map<std::string, std::size_t> numbers_;  // of files in `sources_`, by path
  std::filesystem::path beside_;  // PTX names sources where they were compiled, maybe elsewhere

  json place(const source_place& at);
  json violation(const shown_violation& shown, const simt::grid_shape& grid);
  json table(const trace_table& table);
  json moments(const execution_moments& all);
  json state(const moment& now, const moment* before);
};

}  // namespace warpcheck
