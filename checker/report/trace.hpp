// Carries out an execution again: what each step did, which lanes took it, and where in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/report/names.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/walk/choice_name.hpp"
#include "sim/machine/walk/coherence_step.hpp"

namespace warpcheck {

/// A line that a lane printed.
struct shown_line {
  std::uint32_t lane = 0;
  std::string text;
  source_place at;
};

/// The part of one lane in a step.
struct lane_action {
  std::uint32_t lane = 0;
  simt::operation op;
  simt::continuation from = 0;
  bool valid = true;            // memory: whether the access can be carried out
  std::string variable;         // memory
  std::uint64_t old_value = 0;  // memory: before and after the access
  std::uint64_t new_value = 0;
  // Under weak memory: how many stores of other lanes come behind the one that is read or stored.
  std::uint32_t newer = 0;
  std::uint64_t result = 0;  // collectives, choose: what the lane gets
  source_place at;
  std::string called;  // the user's name for a barrier of the block; empty: unknown
  // Where the linearization points are declared that the operation is.
  std::vector<source_place> points;
  std::vector<shown_line> printed;  // printed after the operation, before the lane's next one
  bool exits = false;               // the lane has left its body after the operation

  /// Whether this is an access that can be carried out, one that reads, or one that reads and
  /// stores at once.
  [[nodiscard]] bool is_access() const { return op.kind == simt::operation_kind::memory && valid; }
  [[nodiscard]] bool reads() const {
    return is_access() && op.memory != simt::detail::memory_kind::store;
  }
  [[nodiscard]] bool is_read_modify_write() const {
    return reads() && op.memory != simt::detail::memory_kind::load;
  }
};

/// The place of a lane between two steps.
struct lane_position {
  enum class kind : std::uint8_t {
    running,     // it may take steps as far as reconvergence is concerned
    parked,      // it has arrived at the reconvergence block of a frame
    other_side,  // it waits for its side's turn
    absent,      // its block is not resident
    exited,
  };
  kind what{};
  std::uint32_t block = simt::no_block;  // parked: the reconvergence block
  std::uint32_t frame = 0;               // parked, other_side: the frame of its warp's stack
  source_place resumes_at;               // parked, other_side: where the lane goes on
  friend bool operator==(const lane_position&, const lane_position&) = default;
};

/// An element of memory that the host changes between two launches.
struct host_change {
  std::string variable;
  std::string from, to;
};

struct trace_step {
  simt::choice by;
  simt::choice_name name;    // of `by`
  std::uint32_t number = 0;  // from 1; 0: a choice that takes no step
  std::vector<lane_action> actions;
  std::optional<lane_action> promise;  // a store that is visible from now on
  // Of a launch: what the host has done, what lanes print before their first operation, and whether
  // there is no further launch.
  std::vector<host_change> host;
  std::vector<shown_line> printed;
  bool launches_none = false;
  std::optional<simt::coherence_step> coherent;  // under weak memory
  simt::state_words before;
  std::vector<lane_position> positions;  // of all lanes, before the step
  simt::ending ends = simt::ending::none;
};

struct trace {
  std::vector<trace_step> steps;
  std::vector<shown_line> printed_at_start;  // before the first operation of each lane
  std::size_t cycle_begin = 0;  // where the cycle's steps begin; steps.size(): there is no cycle
  simt::state_words last;       // after the last step that has a state after it
  std::vector<lane_position> last_positions;
  bool stuck = false;                      // nothing can happen in `last`
  simt::ending here = simt::ending::none;  // `last` itself ends the run
  std::string why;                         // of `here`

  [[nodiscard]] bool has_cycle() const { return cycle_begin < steps.size(); }
  [[nodiscard]] std::uint32_t step_count() const;
  /// Returns the last step but one. There must be two: between the two accesses of a race there may
  /// be moves that take no step.
  [[nodiscard]] const trace_step& step_before_last() const;
};

/// A choice is impossible at the point where the execution makes it.
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

/// Returns where lanes stand in a state.
std::vector<lane_position> positions_in(session& run, names& named, simt::state_view state);

/// Returns what lanes would do in the step `by`, which is possible after `so_far`.
std::vector<lane_action> next_actions(session& run, names& named, const trace& so_far,
                                      const simt::choice& by);

/// Returns why `t` does not show a violation of this kind; empty if it does.
std::string not_shown(session& run, names& named, const trace& t, verdict kind);
/// Returns why `t` does not show starvation, or a claim that does not hold; empty if it does. See
/// cause/progress.cpp.
std::string progress_not_shown(session& run, names& named, const trace& t, verdict kind);

}  // namespace warpcheck
