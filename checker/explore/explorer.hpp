// Depth-first exploration of all states, with their strongly connected components (Tarjan 1972).
//
// A component is left only when everything reachable from it has been explored. So what is said of
// it then is final, even if the exploration stops early: whether an end can be reached from its
// states, whether it can be left, and whether a fair run can stay in it for ever.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/explore/limits.hpp"
#include "checker/explore/no_end_proof.hpp"
#include "checker/explore/state_table.hpp"
#include "checker/verdict.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

struct explore_options {
  simt::progress progress = simt::progress::fair;
  verdict_set check = 0;    // 0: only reachability of an end
  bool prove_dead = false;  // look for states from which no run can end (no_end_proof.hpp)
  /// The final check of a complete run's memory; null result: all is well.
  std::function<const char*(std::span<const std::uint8_t>)> final_check;
};

class explorer {
 public:
  explorer(simt::machine& machine, explore_options options, const limits& bounds);

  /// Explores everything reachable from `roots`; may be called again with more roots.
  void run(std::span<const simt::state_words> roots);

  [[nodiscard]] bool complete() const { return stopped_.empty(); }
  [[nodiscard]] const std::string& stopped() const { return stopped_; }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }
  [[nodiscard]] const state_table& states() const { return table_; }
  [[nodiscard]] simt::machine& machine() { return machine_; }
  [[nodiscard]] const explore_options& options() const { return options_; }

  /// Violations seen, other than deadlocks.
  [[nodiscard]] verdict_set found() const { return found_; }
  /// The final check does not find the same in all memories that lanes can be renamed to, or there
  /// are too many: what was explored with renaming does not count.
  [[nodiscard]] bool depends_on_names() const { return depends_on_names_; }
  /// Whether there are closed states from which no end can be reached.
  [[nodiscard]] bool has_dead_states() const { return has_dead_states_; }

  [[nodiscard]] bool is_closed(state_id s) const { return (table_.mark(s) & closed) != 0; }
  /// For closed states: an end can be reached.
  [[nodiscard]] bool can_end(state_id s) const { return (table_.mark(s) & reaches_end) != 0; }
  /// For closed states: their component can be left.
  [[nodiscard]] bool can_leave(state_id s) const { return (table_.mark(s) & leaves) != 0; }
  /// For closed states: the number of their component.
  [[nodiscard]] std::uint32_t component(state_id s) const { return table_.mark(s) & number_bits; }
  /// The state was proved to be dead: nothing behind it was explored.
  [[nodiscard]] bool is_proved(state_id s) const { return proved_.contains(s); }
  /// Components in which a livelock can stay (not all: a sample of the first ones found).
  [[nodiscard]] const std::vector<std::uint32_t>& livelocks() const { return livelocks_; }

  /// Whether the complete state `s` fails the subject's own check, and its message.
  const char* failed_check(simt::state_view s);
  /// Whether a race begins in state `s`.
  bool has_race(state_id s);
  /// The second access of a race that begins with transition `first` of `list`, the steps of
  /// `state` (not reduced where the machine couples steps), after moves that take no step. Empty:
  /// there is no race.
  std::vector<simt::choice> race_with(simt::state_view state, const simt::successor_list& list,
                                      const simt::transition& first);

 private:
  struct frame {
    state_id state;
    std::uint32_t low;
    std::uint32_t begin, next;  // in pending_
    std::uint32_t first;        // in component_stack_
    bool fair_self_loop;
  };

  // The mark of a state: 0 until it is entered, then the order of entry, once closed the number of
  // its component, and flags.
  static constexpr std::uint32_t closed = 0x80000000;
  static constexpr std::uint32_t reaches_end = 0x40000000;
  static constexpr std::uint32_t leaves = 0x20000000;
  static constexpr std::uint32_t number_bits = leaves - 1;

  simt::machine& machine_;
  explore_options options_;
  const limits& limits_;
  std::chrono::steady_clock::time_point start_;
  state_table table_;
  std::vector<frame> frames_;
  std::vector<state_id> pending_;  // successors of the frames' states, one behind the other
  std::vector<state_id> component_stack_;
  std::uint32_t entered_ = 0;
  std::uint32_t components_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t peak_bytes_ = 0;
  verdict_set found_ = 0;
  bool has_dead_states_ = false;
  bool depends_on_names_ = false;
  std::vector<std::uint32_t> livelocks_;
  std::string stopped_;
  simt::successor_list list_;
  simt::successor_list inner_list_;
  simt::successor_list race_list_;
  std::vector<std::uint32_t> accessing_;  // lanes
  std::vector<char> unit_flags_;
  bool one_sided_ =
      false;  // race_with has seen two conflicting accesses, one of which ends the run
  bool skipped_races_ = false;  // states were not looked at, since no access was known to race
  no_end_proof proof_;
  boost::unordered_flat_set<state_id> proved_;
  std::uint32_t proof_interval_ = 1;  // states from one attempt to the next
  std::uint32_t proof_wait_ = 0;
  std::uint32_t proof_questions_;  // that may still be put to device code
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint8_t> checked_images_;  // 0: not yet, 1: passes, 2: fails

  [[nodiscard]] std::uint32_t order(state_id s) const { return table_.mark(s) & number_bits; }
  void enter(state_id s);
  bool is_proved_dead(simt::state_view state);
  void close(const frame& f);
  bool stays_for_ever(std::span<const state_id> members);
  bool fair_self_loop(state_id s);
  bool leaves_only(state_id s);
  void check_renamed(simt::state_view s);
  void look_for_races(simt::state_view state);
  void report(verdict kind) { found_ = static_cast<verdict_set>(found_ | bit(kind)); }
  [[nodiscard]] bool wants(verdict kind) const {
    return (options_.check & bit(kind)) != 0 && (found_ & bit(kind)) == 0;
  }
  bool out_of_bounds();
  [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace warpcheck
