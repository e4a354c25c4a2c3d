// A search that was stopped, in a file, to go on with later.
//
// The file has the states, what was said of them, and what the reductions had learnt. Of lanes it
// has the questions that were put to them: whoever asks device code the same in the same order gets
// the same continuations with the same numbers. Stacks of lanes are not in it; memory is, and
// addresses in it are moved to where the device's memory lies in this process.
//
// States that are closed (state_mark.hpp) are final, and are not entered again. Those that were
// open are entered anew: the search begins at the initial state, and passes over what is closed.
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

/// How far a check is, beside the search itself and what it has learnt.
struct search_stage {
  reductions asked;          // for
  std::uint64_t rounds = 0;  // this one included
  double seconds = 0;        // spent so far
};

/// Writes the search to `file`, or leaves it as it was. False: the machine has news, and nothing is
/// to be kept. Throws simt::file_error if it is impossible to write.
[[nodiscard]] bool save_search(const std::filesystem::path& file, const session& run,
                               const reduced_machine& reduced, const search_stage& stage,
                               explorer& search);

class saved_search {
 public:
  /// Reads all but the states. Throws usage_error where the file is damaged, of another version of
  /// warpcheck, or of another run or other reductions.
  saved_search(const std::filesystem::path& file, const session& run, const reductions& asked);

  [[nodiscard]] const search_stage& stage() const { return stage_; }
  [[nodiscard]] const knowledge& known() const;
  /// Puts a machine that nobody has used yet where the saved one was. False: states of the file do
  /// not count any more, since more is known now than they rest on. Throws usage_error.
  bool restore(const session& run, reduced_machine& reduced);
  /// For the explorer, once.
  [[nodiscard]] earlier_search earlier() { return {in_, findings_}; }
  /// Throws usage_error where a state has in it what the machine does not know.
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
