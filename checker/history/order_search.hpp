// Searches for an order of the steps that the specification allows, each step within its interval.
//
// This is the search of Wing and Gong (Testing and verifying concurrent objects, 1993) with Lowe's
// two improvements (Testing for linearizability, 2017). First, what was tried is remembered as
// (steps in the order, state). Second, steps are placed just in time: when a step returns that is
// not yet in the order, it is placed, behind some of the pending steps. Then all steps that have
// returned are in the order, so "steps in the order" is a bit for each pending step.
//
// Two prunings keep the answer:
// - A pending observer that is legal now is placed now. It changes nothing, so every continuation
//   without it is also one with it.
// - Of pending steps that do the same and return the same, the one that returns first goes first:
//   in any order the two can be exchanged.
// The step that must return is tried first. An exception: later operations of a queue or stack may
// tell that another put comes before it. That is only a guess of where to look first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/history/state_store.hpp"
#include "checker/history/task.hpp"

namespace warpcheck {

class order_search {
 public:
  /// `steps` must outlive the search. It begins in any of the states `initial`.
  order_search(const simt::spec::specification& spec, std::span<const timed_step> steps,
               std::vector<simt::spec::state> initial, const history_limits& limits);

  answer run();

  /// If explained: indices of the steps in their order. Pending steps that did not happen are left
  /// out.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return order_; }
  /// If stopped: the limit that was reached.
  [[nodiscard]] const std::string& stopped_by() const { return stopped_by_; }
  /// If impossible: the step whose return no order gets past, whatever the order begins with.
  [[nodiscard]] std::uint32_t stuck_at() const { return events_[furthest_].step; }
  /// A return that some orders reached, and what these orders have in common just before it.
  struct moment {
    event_time when;
    std::vector<simt::spec::state> states;  // all possible states
    std::vector<std::uint32_t> sometimes;   // pending steps that some orders have placed
    std::vector<std::uint32_t> always;      // pending steps that all orders have placed
  };
  /// If impossible: the last returns that were reached, ascending.
  [[nodiscard]] std::vector<moment> moments(std::size_t most) const;
  /// If impossible: what the stuck step could have returned instead, in any order.
  [[nodiscard]] std::vector<simt::spec::result> possible_results() const;
  /// Returns the number of distinct pairs of a state and a set of placed steps that were seen.
  [[nodiscard]] std::uint64_t configurations() const { return seen_.size(); }

 private:
  struct event {
    event_time when;
    std::uint32_t step;
    bool is_return;
  };
  struct change {
    enum class kind : std::uint8_t { opened, placed, closed } what;
    std::uint32_t step;
  };
  struct frame {
    std::uint32_t event;
    state_number state;
    std::size_t changes;  // number of changes
    std::size_t ordered;
    std::uint32_t candidate = no_operation;
    std::uint32_t target = 0;  // index of the candidate's next state
  };
  /// The turn of a candidate. The least turn goes first.
  struct turn {
    std::uint32_t phase;
    event_time guess;
    std::uint32_t step;
    friend auto operator<=>(const turn&, const turn&) = default;
  };
  struct configuration {
    std::uint32_t event;
    state_number state;
    std::uint64_t
        placed;  // bits by slot, or the number of a set where there are more than 64 slots
    friend bool operator==(const configuration&, const configuration&) = default;
  };
  struct hash {
    std::size_t operator()(const configuration& c) const {
      std::uint64_t h = (std::uint64_t{c.event} << 32 | c.state) * 0x9e3779b97f4a7c15U;
      h = (h ^ h >> 29 ^ c.placed) * 0xbf58476d1ce4e5b9U;
      return h ^ h >> 32;
    }
  };

  const simt::spec::specification& spec_;
  std::span<const timed_step> steps_;
  std::vector<simt::spec::state> initial_;
  history_limits limits_;
  state_store store_;
  std::vector<event> events_;
  std::vector<std::uint32_t> signature_, slot_;  // by step
  std::vector<bool> is_observer_, is_placed_;
  std::vector<event_time> taken_from_, taken_until_;  // by step: when its value is taken, if ever
  // List of pending steps that are not placed, in the order of calls; steps_.size() is its head.
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> alike_;  // by signature: how many are in the list
  std::vector<std::uint64_t> mask_;   // by slot: whether the step is pending and placed
  std::unordered_map<std::string, std::uint64_t> wide_masks_;
  boost::unordered_flat_set<configuration, hash> seen_;
  std::vector<change> changes_;
  std::vector<frame> frames_;
  std::vector<std::uint32_t> order_;
  state_number state_ = 0;
  std::uint32_t furthest_ = 0;
  std::string stopped_by_;

  void order_events();
  bool start(const simt::spec::state& from);
  bool advance(std::uint32_t event);
  bool next_candidate(frame& top);
  [[nodiscard]] turn turn_of(std::uint32_t step, std::uint32_t must) const;
  void guess_takes();
  bool may_go(std::uint32_t step) const;
  void place_observers();
  void link(std::uint32_t step);
  void unlink(std::uint32_t step);
  void place(std::uint32_t step, state_number after);
  void undo(std::size_t changes, std::size_t ordered);
  void flip(std::uint32_t step) { mask_[slot_[step] / 64] ^= std::uint64_t{1} << slot_[step] % 64; }
  std::uint64_t mask_key();
  [[nodiscard]] std::uint64_t bytes() const;
};

}  // namespace warpcheck
