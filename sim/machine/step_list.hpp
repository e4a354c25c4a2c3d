// What may happen in one state of a grid: transitions, each with its choice and the next state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/choice.hpp"

namespace simt {

/// How a run can end other than by completion.
enum class ending : std::uint8_t {
  none,
  assertion,
  bad_access,
  unwritten_read,   // a read of block-shared memory that no lane has written
  mbarrier_misuse,  // an access to an mbarrier that is none of its operations, or an
                    // initialization of one that is there, or the end of one that is not
  barrier_divergence,
  race
};

/// One way from a state to the next.
struct transition {
  static constexpr std::uint32_t no_state = 0xffffffff;
  choice by;
  ending ends = ending::none;     // other than none: there is no next state
  bool stays = false;             // the step is known to lead back to the same state
  bool ahead = false;             // machine::run_ahead has added other steps to this one
  std::uint32_t next = no_state;  // the number of the next state in the list
  // Set where memory keeps old values: the location of the access. An access is stale if it uses
  // the oldest message that it can, although there are newer ones. (A load reads that message; a
  // store goes right behind it.) Memory would be unfair if all accesses of a lane to a location
  // were stale for ever.
  std::uint32_t location = no_state;
  bool is_stale = false;
};

/// What may happen in one state.
struct successor_list {
  std::vector<transition> transitions;
  ending here = ending::none;  // barrier_divergence: the state itself ends the run
  std::string why;             // describes a barrier divergence
  bool is_choice = false;      // the transitions are choices that take no step
  bool suspicious = false;     // some pending access may be part of a race

  /// The transition by this choice, or null.
  [[nodiscard]] const transition* find(const choice& by) const {
    const auto t = std::ranges::find(transitions, by, &transition::by);
    return t == transitions.end() ? nullptr : &*t;
  }
  [[nodiscard]] std::span<const std::uint32_t> state(const transition& t, std::size_t words) const {
    return {states_.data() + t.next * words, words};
  }
  [[nodiscard]] std::span<std::uint32_t> state(const transition& t, std::size_t words) {
    return {states_.data() + t.next * words, words};
  }
  /// Adds a transition by `by`, and returns a copy of `state` as its next state, for the caller to
  /// change.
  std::span<std::uint32_t> add(const choice& by, std::span<const std::uint32_t> state) {
    const std::size_t words = state.size();
    const std::size_t at = count_ * words;
    if (at + words > states_.size()) states_.resize(2 * (at + words));
    transitions.push_back(
        {.by = by, .ends = ending::none, .stays = false, .ahead = false, .next = count_++});
    std::uint32_t* const copy = states_.data() + at;
    for (std::size_t i = 0; i < words; ++i) copy[i] = state[i];  // few: cheaper than a call
    return {copy, words};
  }
  /// Adds a transition by `by` that leads back to `state`.
  void add_stay(const choice& by, std::span<const std::uint32_t> state) {
    if (stay_ == transition::no_state) {
      stay_ = count_;
      add(by, state);
    } else {
      transitions.push_back(
          {.by = by, .ends = ending::none, .stays = true, .ahead = false, .next = stay_});
    }
    transitions.back().stays = true;
  }
  /// Gives a transition that stays its own copy of the next state, which the caller then changes.
  std::span<std::uint32_t> part(transition& t, std::size_t words) {
    const std::size_t at = count_ * words;
    if (at + words > states_.size()) states_.resize(2 * (at + words));
    for (std::size_t i = 0; i < words; ++i) states_[at + i] = states_[t.next * words + i];
    t.next = count_++;
    t.stays = false;
    return {states_.data() + at, words};
  }
  /// Adds a transition by `by` that ends the run.
  void end_by(const choice& by, ending how) {
    transition end;
    end.by = by;
    end.ends = how;
    transitions.push_back(end);
  }
  /// The state itself is a barrier divergence, and has no transitions.
  void end_here(std::string reason) {
    transitions.clear();
    here = ending::barrier_divergence;
    why = std::move(reason);
  }
  void clear() {
    transitions.clear();
    count_ = 0;
    stay_ = transition::no_state;
    here = ending::none;
    why.clear();
    is_choice = suspicious = false;
  }

 private:
  std::vector<std::uint32_t> states_;  // the next states, one after another; never shrinks
  std::uint32_t count_ = 0;
  std::uint32_t stay_ = transition::no_state;  // the copy of the state itself, if listed
};

using state_view = std::span<const std::uint32_t>;
using state_words = std::vector<std::uint32_t>;

}  // namespace simt
