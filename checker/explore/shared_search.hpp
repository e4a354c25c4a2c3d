// What the threads of one exploration share: states, questions and findings.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checker/explore/state_checks.hpp"
#include "checker/run/limits.hpp"
#include "checker/states/compressed_table.hpp"
#include "checker/states/state_mark.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

struct explore_options {
  simt::fairness fairness = simt::fairness::weak;  // to whom the machine owes progress
  verdict_set check = 0;                           // 0: only reachability of an end
  bool prove_dead = false;  // look for states from which no run can end (no_end_proof.hpp)
  bool may_ask = true;      // the proof of dead states may ask device code new questions
  warpcheck::final_check final_check = {};
  /// Makes a machine for another thread. Empty: there is but one thread.
  std::function<std::unique_ptr<simt::machine>()> another_machine = {};
  /// Whether it is known of each access that the program was seen to come to. If not, violations
  /// may be missed as long as this round goes on. Empty: the machine assumes nothing.
  std::function<bool()> knows_all_accesses = {};
  /// Whether more is known of the program than this round assumes, so that a deadlock does not
  /// count in it. Asked by one thread, while it is alone. Empty: the machine assumes nothing.
  std::function<bool()> has_learnt = {};
  /// Whether values in these states seem to grow without end: asked of a run without a limit that
  /// has come to a very long path. Empty: it goes on.
  std::function<bool(const compressed_table&)> seems_to_grow = {};
};

/// The findings of a stopped search, without its states.
struct search_findings {
  verdict_set found = 0;
  bool has_dead_states = false;
  bool minds_names = false;
  bool skipped_races = false;
  std::uint32_t next_component = state_mark::first_component;
  std::uint64_t transitions = 0;  // from closed states
  std::uint64_t depth = 0;
};

/// A stopped search that a new search continues.
struct earlier_search {
  std::istream& states;  // written by compressed_table::save
  search_findings findings;
};

struct shared_search {
  shared_search(const state_shape& shape, explore_options how, const limits& until)
      : states(shape, until.storage), options(std::move(how)), bounds(until) {}
  /// States that were open when the search stopped count as not entered. Throws std::runtime_error
  /// if the states are damaged, or of another shape.
  shared_search(const state_shape& shape, explore_options how, const limits& until,
                const earlier_search& earlier)
      : states(earlier.states, until.storage), options(std::move(how)), bounds(until) {
    if (states.shape() != shape) throw std::runtime_error("the saved states are of another run");
    for (state_id s = 0; s < states.size(); ++s) {
      if ((states.mark(s) & state_mark::closed) == 0) states.mark(s) = 0;
    }
    found = earlier.findings.found;
    has_dead_states = earlier.findings.has_dead_states;
    minds_names = earlier.findings.minds_names;
    next_component = earlier.findings.next_component;
  }

  compressed_table states;
  explore_options options;
  const limits& bounds;
  [[nodiscard]] std::uint32_t threads() const {
    return options.another_machine ? std::max(bounds.threads, 1U) : 1;
  }
  std::atomic<verdict_set> found = 0;
  std::atomic<bool> has_dead_states = false;
  /// See state_checks::minds_names.
  std::atomic<bool> minds_names = false;
  /// See livelock_question::moves_too_much.
  std::atomic<bool> moves_too_much = false;
  std::atomic<std::uint32_t> next_component = state_mark::first_component;

  void report(verdict kind) { found.fetch_or(bit(kind), std::memory_order_relaxed); }
  /// Reports those of `kinds` that are looked for.
  void report_all(verdict_set kinds) {
    if (kinds == 0) return;
    found.fetch_or(static_cast<verdict_set>(kinds & options.check), std::memory_order_relaxed);
  }
  [[nodiscard]] bool wants(verdict kind) const {
    return (options.check & bit(kind)) != 0 &&
           (found.load(std::memory_order_relaxed) & bit(kind)) == 0;
  }
  void report_if_wanted(verdict kind) {
    if (wants(kind)) report(kind);
  }

  /// Keeps the first way for each kind. `way` holds states from a root to a state that shows these
  /// kinds of violations.
  void keep_way(verdict_set kinds, const std::vector<state_id>& way) {
    const std::lock_guard lock(keeping_);
    for (unsigned v = 0; v < verdicts_in_search; ++v) {
      if ((kinds & bit(static_cast<verdict>(v))) != 0) {
        first_ways_.try_emplace(static_cast<verdict>(v), way);
      }
    }
  }
  /// Call it when no thread searches.
  [[nodiscard]] const std::map<verdict, std::vector<state_id>>& first_ways() const {
    return first_ways_;
  }

  /// Keeps a pair of states: a choice that takes no step leads from `from` to `to`, and all choices
  /// in `to` take no step.
  void keep_choice(state_id from, state_id to) {
    const std::lock_guard lock(keeping_);
    choices_.emplace_back(from, to);
  }
  /// Call it when no thread searches.
  [[nodiscard]] const std::vector<std::pair<state_id, state_id>>& choices() const {
    return choices_;
  }

  /// Whether the search has found what the limit `first` waits for.
  [[nodiscard]] bool has_violation() const {
    return found.load(std::memory_order_relaxed) != 0 ||
           (has_dead_states.load(std::memory_order_relaxed) && (options.check & deadlocks) != 0);
  }

  /// Ends the search. Of several reasons, the first counts.
  void stop(stop_cause why) {
    // A stopped search needs a reason, or it would seem complete.
    if (why.empty()) why = {stop_reason::time, "time is over"};
    const std::lock_guard lock(stopping_);
    if (stopped_.empty()) stopped_ = std::move(why);
    stops.store(true, std::memory_order_release);
  }
  void stop_for_moves() {
    moves_too_much = true;
    stop({stop_reason::livelock,
          "whether a fair run can go on for ever is not decided: it has too many states"});
  }
  void stop_to_learn() {
    stops_to_learn = true;
    stop({stop_reason::defect, "what was assumed of the program does not hold"});
  }
  /// The search has stopped on a path that may have no end, since more is known of the program than
  /// it assumes.
  std::atomic<bool> stops_to_learn = false;
  std::atomic<bool> stops = false;
  /// Why the search stopped; empty: it did not stop. Call it when all threads have ended.
  [[nodiscard]] const stop_cause& stopped() const { return stopped_; }

 private:
  std::mutex stopping_;
  stop_cause stopped_;
  std::mutex keeping_;
  std::map<verdict, std::vector<state_id>> first_ways_;
  std::vector<std::pair<state_id, state_id>> choices_;
};

}  // namespace warpcheck
