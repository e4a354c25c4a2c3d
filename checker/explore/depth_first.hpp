// Depth-first search with strongly connected components (Tarjan 1972), in little memory: what is
// known of a state for good is in its mark, and only open states are on the search's stacks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checker/explore/growing_stack.hpp"
#include "checker/explore/livelock_question.hpp"
#include "checker/explore/no_end_proof.hpp"
#include "checker/explore/shared_search.hpp"
#include "checker/explore/state_checks.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class depth_first {
 public:
  /// `look` is called now and then with the number of states entered so far; false: stop.
  depth_first(shared_search& shared, simt::machine& machine, std::function<bool()> look);

  /// Explores all that can be reached from `root` and is not closed yet; false: stopped. Throws
  /// simt::partition_split, simt::lane_error, and what the table throws when there is no more room.
  bool run(state_id root);

  [[nodiscard]] std::uint64_t entered() const { return entered_; }  // states
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  /// States were not looked at for races, since no access was known that may be part of one.
  [[nodiscard]] bool skipped_races() const { return skipped_races_; }
  /// Bytes, of the stacks.
  [[nodiscard]] std::size_t memory() const {
    return frames_.memory() + pending_.memory() + open_.memory();
  }

 private:
  // A state on the path. What can be said of its component so far is collected on the way back.
  struct frame {
    std::uint32_t index;  // in open_
    std::uint32_t begin;  // in pending_: its successors that have yet to be looked at
    std::uint32_t low : 28;
    std::uint32_t reaches_end : 1;
    std::uint32_t leaves : 1;
    std::uint32_t stays : 1;  // a fair run can stay in this state alone
    std::uint32_t proved : 1;
  };
  static_assert(sizeof(frame) == 12);
  static constexpr std::uint32_t most_open = state_mark::index_bits;

  shared_search& shared_;
  compressed_table& states_;
  simt::machine& machine_;
  std::function<bool()> look_;
  state_checks checks_;
  livelock_question livelocks_;
  growing_stack<frame> frames_;
  growing_stack<state_id> pending_;
  growing_stack<state_id> open_;
  std::uint64_t entered_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  bool skipped_races_ = false;
  compressed_table::cursor here_;
  simt::successor_list list_;
  std::vector<compressed_table::key> keys_;
  bool proves_dead_;  // still
  no_end_proof proof_;
  std::uint32_t proof_interval_ = 1;  // states from one attempt to the next
  std::uint32_t proof_wait_ = 0;
  std::uint32_t proof_questions_;  // that may still be put to device code

  bool visit(state_id s);
  bool enter(state_id s);
  void follow(state_id s, frame& f);
  void note_endings(frame& f);
  void leave();
  void close(const frame& f);
  bool is_proved_dead(simt::state_view state);
};

}  // namespace warpcheck
