// One execution carried out again: what each step did, to whom, where in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/explore/coherence_step.hpp"
#include "checker/report/names.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// What a lane printed.
struct shown_line {
  std::uint32_t lane = 0;
  std::string text;
  source_place at;
};

/// What one lane did in a step.
struct lane_action {
  std::uint32_t lane = 0;
  simt::operation op;
  simt::continuation from = 0;
  bool valid = true;            // memory: the access is one that can be carried out
  std::string variable;         // memory
  std::uint64_t old_value = 0;  // memory: before and after
  std::uint64_t new_value = 0;
  // Memory that is weak: stores of others that come behind what is read or stored.
  std::uint32_t newer = 0;
  std::uint64_t result = 0;  // collectives, choose: what the lane gets
  source_place at;
  std::string called;                // a barrier of the block: by which name; empty: unknown
  std::vector<source_place> points;  // linearization points that it is, by where they are declared
  std::vector<shown_line> printed;   // behind it, before its next operation
  bool exits = false;                // the lane has left its body after it

  /// An access that could be carried out; and one of which memory tells the lane something; and one
  /// that reads and stores as one.
  [[nodiscard]] bool is_access() const { return op.kind == simt::operation_kind::memory && valid; }
  [[nodiscard]] bool reads() const {
    return is_access() && op.memory != simt::detail::memory_kind::store;
  }
  [[nodiscard]] bool is_read_modify_write() const {
    return reads() && op.memory != simt::detail::memory_kind::load;
  }
};

/// Where a lane stands between steps.
struct lane_position {
  enum class kind : std::uint8_t {
    running,     // it may take steps as far as reconvergence is concerned
    parked,      // it has arrived at the reconvergence block of a frame
    other_side,  // it waits for its side's turn
    absent,      // its block is not resident
    exited,
  };
  kind what{};
  std::uint32_t block = simt::no_block;  // parked: where
  std::uint32_t frame = 0;               // parked, other_side: of its warp's stack
  source_place resumes_at;               // parked, other_side: where it goes on
  friend bool operator==(const lane_position&, const lane_position&) = default;
};

/// An element of memory that the host changes between two launches.
struct host_change {
  std::string variable;
  std::string from, to;
};

struct trace_step {
  simt::choice by;
  std::uint32_t number = 0;  // from 1; 0: a choice that takes no step
  std::vector<lane_action> actions;
  std::optional<lane_action> promise;  // a store that is there from now on
  // Of a launch: what the host has done, what lanes print before their first operation, and that
  // there is no launch.
  std::vector<host_change> host;
  std::vector<shown_line> printed;
  bool launches_none = false;
  std::optional<coherence_step> coherent;  // where memory is weak
  simt::state_words before;
  std::vector<lane_position> positions;  // of all lanes, before
  simt::ending ends = simt::ending::none;
};

struct trace {
  std::vector<trace_step> steps;
  std::vector<shown_line> printed_at_start;  // before the first operation of each lane
  std::size_t cycle_begin = 0;  // where the cycle's steps begin; steps.size(): there is none
  simt::state_words last;       // after the last step that has a state after it
  std::vector<lane_position> last_positions;
  bool stuck = false;                      // nothing can happen in `last`
  simt::ending here = simt::ending::none;  // `last` itself ends the run
  std::string why;                         // of `here`

  [[nodiscard]] bool has_cycle() const { return cycle_begin < steps.size(); }
  [[nodiscard]] std::uint32_t step_count() const;
  /// The last step but one, of two at least: between the two accesses of a race there may be moves
  /// that take no step.
  [[nodiscard]] const trace_step& step_before_last() const;
};

/// A choice is not possible where the execution makes it.
class cannot_follow : public std::runtime_error {
 public:
  cannot_follow(std::size_t index, const std::string& message)
      : std::runtime_error(message), index_(index) {}
  [[nodiscard]] std::size_t index() const { return index_; }  // of the choice, from 0

 private:
  std::size_t index_;
};

/// Carries out the choices. Throws cannot_follow.
trace follow(session& run, names& named, const execution& how);

/// Where lanes stand in a state.
std::vector<lane_position> positions_in(session& run, names& named, simt::state_view state);

/// What the lanes would do in the step `by`, which is possible behind `so_far`.
std::vector<lane_action> next_actions(session& run, names& named, const trace& so_far,
                                      const simt::choice& by);

/// Why `t` does not show a violation of this kind; empty: it does.
std::string not_shown(session& run, names& named, const trace& t, verdict kind);
/// The same of starvation and of claims: cause_progress.cpp.
std::string progress_not_shown(session& run, names& named, const trace& t, verdict kind);

}  // namespace warpcheck
