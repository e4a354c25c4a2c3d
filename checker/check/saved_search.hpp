// Keeps a stopped search in a file, to continue it later.
//
// The file has the states, their marks, and what the reductions had learnt. For lanes, it has the
// questions that were put to them. A process that asks device code the same questions in the same
// order gets the same continuations with the same numbers. Stacks of lanes are not in the file.
// Memory is, and addresses in it are moved to where the device's memory lies in this process.
//
// Closed states (state_mark.hpp) are final, and are not entered again. Open states are entered
// anew: the search begins at the initial state, and passes over closed states.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "checker/explore/explorer.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// How far a check has come, besides the search itself and what it has learnt.
struct search_stage {
  reductions asked;          // for
  std::uint64_t rounds = 0;  // this one included
  double seconds = 0;        // spent so far
};

/// Writes the search to `file`. False: the machine has news, nothing is worth keeping, and the file
/// stays as it was. Throws simt::file_error if writing fails.
[[nodiscard]] bool save_search(const std::filesystem::path& file, const session& run,
                               const reduced_machine& reduced, const search_stage& stage,
                               explorer& search);

class saved_search {
 public:
  /// Reads all but the states. Throws usage_error if the file is damaged, of another version of
  /// warpcheck, or of another run or other reductions.
  saved_search(const std::filesystem::path& file, const session& run, const reductions& asked);

  [[nodiscard]] const search_stage& stage() const { return stage_; }
  [[nodiscard]] const knowledge& known() const;
  /// Brings a machine that nothing has used yet to where the saved machine was. False: states of
  /// the file no longer count, since more is known now than they rest on. Throws usage_error.
  bool restore(const session& run, reduced_machine& reduced);
  /// Returns the saved states and findings for the explorer. Call it once.
  [[nodiscard]] earlier_search earlier() { return {in_, findings_}; }
  /// Throws usage_error if a state has a part that the machine does not know.
  void check_states(const reduced_machine& reduced, const explorer& search) const;
  [[noreturn]] void damaged(const std::string& why) const;

 private:
  std::filesystem::path file_;
  std::ifstream in_;
  search_stage stage_;
  search_findings findings_;
  struct contents;
  std::shared_ptr<const contents> contents_;
};

}  // namespace warpcheck
