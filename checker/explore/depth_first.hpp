// Depth-first search with strongly connected components (Tarjan 1972), in little memory. A state's
// mark holds what is known of the state for good, and only open states are on the search's stacks.
//
// Several searches may go through one graph at once, each in a separate thread, with a separate
// machine and in a different order. Each of them is a whole search. They share closed states: a
// search does not enter a state that another search has closed. (The searches of Lowe 2016 and
// Renault et al. 2015 do this.) So searches divide the graph where they can. States that several
// searches have open at one time are explored several times: paths, and components that no search
// has closed yet.
//
// One search must close a component. Another search that sees only some of its states closed must
// not take the rest for a component. So a component is closed in two steps: 1. The mark of its
// least state is changed from open to claimed, by compare and exchange. Who fails waits until that
// state's mark says what the component is. 2. All its states are claimed; only then are they
// closed. Whoever sees a state closed therefore finds all of its component at least claimed.
// Suppose that a search takes M for a component, and claims its least state. If M is not all of a
// component C, the search has left out a state of C that it saw closed. So all of C was at least
// claimed before, and the claim fails. If M is C, no other search claims it: M's least state is
// that of C.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/explore/shared_search.hpp"
#include "checker/explore/state_checks.hpp"
#include "checker/liveness/livelock_question.hpp"
#include "checker/liveness/no_end_proof.hpp"
#include "checker/states/growing_stack.hpp"
#include "checker/states/open_states.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class depth_first {
 public:
  /// The search calls `look` now and then. Search number 0 explores steps in the machine's order,
  /// other searches in a random order.
  depth_first(shared_search& shared, simt::machine& machine, std::uint32_t number,
              std::function<void()> look);

  enum class end : std::uint8_t {
    closed,   // all that can be reached has been explored
    stopped,  // shared_search::stop was called
    large,    // so many states that others may help; go on after share()
  };
  /// Explores all states that can be reached from `root` and are not closed yet, or goes on with
  /// this. Stops all searches if the machine has news. Throws simt::lane_error, and what the table
  /// throws when there is no more room.
  end run(state_id root);
  /// From now on, other searches may run beside this one.
  void share();

  /// Call before run(): goes on with the findings of an earlier search of this number.
  void go_on_from(const search_findings& earlier) {
    entered_ = states_.size();
    transitions_ = earlier.transitions;
    depth_ = earlier.depth;
    skipped_races_ = earlier.skipped_races;
  }

  [[nodiscard]] std::uint64_t entered() const { return entered_; }  // states
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  /// The search has looked at `s`, near the root, or is about to: whether it has entered `s` or
  /// not.
  [[nodiscard]] bool has_seen_near_root(state_id s) const { return before_.contains(s); }
  /// Some states were not checked for races, because no known access could be part of one.
  [[nodiscard]] bool skipped_races() const { return skipped_races_; }
  /// Bytes, of the stacks.
  [[nodiscard]] std::size_t memory() const {
    return frames_.memory() + pending_.memory() + open_.memory() + index_memory_;
  }

 private:
  // A state on the path. Facts about its component are collected on the way back.
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
  /// States between attempts to prove that one is dead.
  struct pace {
    std::uint32_t interval = 1;  // from one attempt to the next
    std::uint32_t wait = 0;      // until the next
    std::uint32_t rarest = 1;    // the largest interval
  };
  static constexpr std::uint32_t most_open = state_mark::index_bits;
  static constexpr std::uint32_t not_open = open_states::none;

  shared_search& shared_;
  compressed_table& states_;
  simt::machine& machine_;
  std::uint32_t number_;
  bool shared_with_others_;
  std::function<void()> look_;
  state_checks checks_;
  livelock_question livelocks_;
  growing_stack<frame> frames_;
  growing_stack<state_id> pending_;
  growing_stack<state_id> open_;
  open_states index_of_;  // where open_ has a state; alone, its mark says so
  std::atomic<std::size_t> index_memory_ = 0;
  std::minstd_rand random_;
  std::uint64_t entered_ = 0;
  std::uint64_t transitions_ = 0;
  std::uint64_t depth_ = 0;
  verdict_set seen_ = 0;       // violations, when the last kind of them came
  std::uint64_t seen_at_ = 0;  // after so many transitions; 0: there is none
  double seen_after_ = 0;      // seconds
  bool has_asked_ = false;     // learn_in_time() has
  bool skipped_races_ = false;
  compressed_table::cursor here_;
  simt::successor_list list_;
  std::vector<compressed_table::key> keys_;
  bool proves_dead_;  // still
  no_end_proof proof_;
  pace attempts_, attempts_near_root_;
  std::uint64_t look_interval_;  // states between two calls of look_
  // A deep path may go on for ever, and pass by a violation near the root. So the search looks at
  // some states in order of their distance from the root, too, the more, the deeper a path is.
  boost::unordered_flat_map<state_id, state_id> before_;  // from each state a step towards the root
  std::deque<state_id> near_root_;                        // to look at
  std::uint64_t deep_;                                    // states of a path that may be endless
  std::uint64_t next_look_near_root_;                     // at a path of so many states

  [[nodiscard]] std::atomic_ref<std::uint32_t> mark(state_id s) const {
    return std::atomic_ref(states_.mark(s));
  }
  /// Where open_ has a state that is marked as open; not_open.
  [[nodiscard]] std::uint32_t index_of(state_id s, std::uint32_t mark) const {
    return shared_with_others_ ? index_of_.find(s) : mark & state_mark::index_bits;
  }
  [[nodiscard]] bool is_alone_for_now() const {
    return !shared_with_others_ && shared_.threads() > 1 && !proves_dead_;
  }
  static void meet(frame& f, std::uint32_t index);
  static void meet_closed(frame& f, std::uint32_t mark);
  void end_behind_violation();
  void learn_in_time();
  [[nodiscard]] std::uint64_t least_behind_violation() const;
  void visit(state_id s);
  void enter(state_id s);
  bool mark_open(state_id s, std::uint32_t index);
  void follow(state_id s, frame& f);
  void keep_way(verdict_set kinds, state_id s);
  void look_near_root(std::uint64_t states);
  void look_near_root_at(state_id s);
  void close_as_dead(state_id s);
  void arrange(std::span<state_id> next);
  void leave();
  void close(frame& f);
  bool never_keeps_promises(std::span<const state_id> members);
  bool claim(std::span<const state_id> members);
  bool is_proved_dead(simt::state_view state, pace& attempts);
};

}  // namespace warpcheck
