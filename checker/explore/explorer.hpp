// Exploration of all states, with their strongly connected components.
//
// A search leaves a component only when everything reachable from it has been explored. So three
// answers about the component are then final, even if the exploration stops early. They say whether
// an end can be reached from its states, whether a run can leave it, and whether a fair run can
// stay in it for ever.
//
// One search (depth_first.hpp) begins. If there are many states, other searches join it, each in a
// separate thread. States and steps do not depend on the number of searches; only their order does.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/explore/depth_first.hpp"
#include "checker/explore/shared_search.hpp"
#include "checker/explore/state_checks.hpp"
#include "checker/liveness/livelock_question.hpp"
#include "checker/run/limits.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class explorer {
 public:
  explorer(simt::machine& machine, explore_options options, const limits& bounds);
  /// Goes on with an earlier exploration. Throws what shared_search throws.
  explorer(simt::machine& machine, explore_options options, const limits& bounds,
           const earlier_search& earlier);
  ~explorer();

  /// Explores everything reachable from `roots`. After a complete exploration it may be called
  /// again with more roots. If the machine has news afterwards, nothing that was found counts.
  /// Throws lane_error.
  void run(std::span<const simt::state_words> roots);

  [[nodiscard]] bool complete() const { return shared_.stopped().empty(); }
  /// Whether all steps of this machine lead from explored states to explored states. For a complete
  /// search that went on with an earlier one. Takes as long as exploring the states.
  bool is_closed_under_steps();
  /// Whether states in which there are only choices that take no step lead to each other in a
  /// circle. Steps that run ahead are then all that is explored there, and steps of others are left
  /// out for ever.
  [[nodiscard]] bool chooses_in_circles() const;
  /// States and findings, for what other processes have explored (checker/distributed).
  [[nodiscard]] shared_search& shared() { return shared_; }
  void take_over(const search_findings& elsewhere) { search_.go_on_from(elsewhere); }
  /// The findings of a stopped exploration, to go on from.
  search_findings findings();
  /// Whether the longest path has a large part of the entered states: one that goes on and on, and
  /// not many paths.
  [[nodiscard]] bool is_on_one_path() const;
  /// Why the exploration is not complete; empty if it is.
  [[nodiscard]] const stop_cause& stopped() const { return shared_.stopped(); }
  [[nodiscard]] std::uint64_t transitions() const;
  /// The longest path of a search; with several threads, this is not always the same.
  [[nodiscard]] std::uint64_t depth() const;
  [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }
  [[nodiscard]] const compressed_table& states() const { return shared_.states; }
  [[nodiscard]] simt::machine& machine() { return machine_; }
  [[nodiscard]] state_checks& checks() { return checks_; }
  [[nodiscard]] const explore_options& options() const { return shared_.options; }

  /// Violations seen, other than deadlocks.
  [[nodiscard]] verdict_set found() const { return shared_.found; }
  /// The final check tells lanes apart by name, so results with renaming do not count.
  [[nodiscard]] bool minds_names() const { return shared_.minds_names; }
  /// Lanes change places in too many ways, so answers about livelocks do not count.
  [[nodiscard]] bool moves_too_much() const {
    return shared_.moves_too_much || livelocks_.moves_too_much();
  }
  /// The search has stopped since it knows more of the program than it assumes.
  [[nodiscard]] bool stops_to_learn() const { return shared_.stops_to_learn; }
  /// Whether there are closed states from which no end can be reached.
  [[nodiscard]] bool has_dead_states() const { return shared_.has_dead_states; }

  /// For each kind of violation seen on entering a state: the states on the way to the first such
  /// state.
  [[nodiscard]] const std::map<verdict, std::vector<state_id>>& first_ways() const {
    return shared_.first_ways();
  }

  /// Whether its steps may have been looked at.
  [[nodiscard]] bool is_entered(state_id s) const {
    return mark(s) != 0 || search_.has_seen_near_root(s);
  }
  [[nodiscard]] bool is_closed(state_id s) const { return (mark(s) & state_mark::closed) != 0; }
  /// For closed states: an end can be reached.
  [[nodiscard]] bool can_end(state_id s) const { return (mark(s) & state_mark::reaches_end) != 0; }
  /// For closed states: their component can be left.
  [[nodiscard]] bool can_leave(state_id s) const { return (mark(s) & state_mark::leaves) != 0; }
  /// For closed states: they belong to one component.
  [[nodiscard]] bool same_component(state_id a, state_id b) const {
    const std::uint32_t number = mark(a) & state_mark::component_bits;
    return a == b || (number >= state_mark::first_component &&
                      number == (mark(b) & state_mark::component_bits));
  }
  /// For closed states: it was proved to be dead, and nothing behind it was explored.
  [[nodiscard]] bool is_proved(state_id s) const {
    return (mark(s) & state_mark::component_bits) == state_mark::proved;
  }
  /// For closed states: a fair run can stay in the component for ever, and come back to this state
  /// again and again.
  bool can_stay(state_id s);

 private:
  simt::machine& machine_;
  shared_search shared_;
  depth_first search_;
  struct helper;
  std::vector<std::unique_ptr<helper>> helpers_;
  std::uint64_t peak_bytes_ = 0;
  std::uint64_t told_work_ = 0;            // to the turn
  std::uint64_t next_look_at_growth_ = 0;  // at a path so long; 0: not set yet
  // Of what was found.
  state_checks checks_;
  livelock_question livelocks_;
  std::mutex failing_;
  std::exception_ptr failure_;  // of any thread
  struct stay {
    bool anywhere = false;                       // in all states of the component
    boost::unordered_flat_set<state_id> only{};  // in these
  };
  boost::unordered_flat_map<std::uint32_t, stay> can_stay_;  // by component

  [[nodiscard]] std::uint32_t mark(state_id s) const { return shared_.states.mark(s); }
  depth_first::end run_together(state_id root);
  void guard(const std::function<void()>& search);
  void look();
  void tell_work();
  void look_at_growth();
  [[nodiscard]] bool skipped_races() const;
  void look_for_skipped_races();
  [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace warpcheck
