// The graph of a run's states, as questions about progress see it: which units take each step, and
// whose operations the step completes. It knows no machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "checker/states/compressed_table.hpp"
#include "sim/machine/choice.hpp"

namespace warpcheck {

/// A client that calls an operation of the subject, by its number.
struct graph_call {
  std::uint32_t client = 0;
  std::uint32_t operation = 0;
  friend bool operator==(const graph_call&, const graph_call&) = default;
};

/// The part of an edge that many edges have in common.
struct graph_step {
  static constexpr std::uint32_t no_access = 0xffffffff;
  simt::choice by;
  std::vector<std::uint32_t> units;      // units that take it; none: a move that takes no step
  std::vector<std::uint32_t> completes;  // clients whose operation it completes
  std::vector<graph_call> calls;
  // Clients that take the step inside an operation or its body: calls and returns do not count.
  std::vector<std::uint32_t> counts;
  // Under weak memory: the number of the lane and location that it accesses, and whether the access
  // is stale (simt::transition). A fair run has no access that is stale for ever.
  std::uint32_t access = no_access;
  bool is_stale = false;
  friend bool operator==(const graph_step&, const graph_step&) = default;
};

/// The part of a state that many states have in common.
struct graph_status {
  std::vector<char> pending;  // by client: whether it has called an operation that has not returned
  std::vector<char> left;     // by client: whether it has not exited
  std::vector<char> owed;     // by unit: whether a fair scheduler owes it progress
  // A store is promised. No run stays among such states for ever, or ends there.
  bool promised = false;
  std::vector<char> held_back;  // by unit: whether only a promise keeps it from taking a step
  bool awaits_choice = false;   // only moves that take no step come next
  bool ends = false;            // the run ends here, other than by completion
  friend bool operator==(const graph_status&, const graph_status&) = default;
};

struct operation_graph {
  static constexpr state_id no_state = 0xffffffff;
  struct edge {
    state_id to;         // no_state: the run ends with this step
    std::uint32_t step;  // in `steps`
  };

  std::uint32_t units = 0;               // units of fairness
  std::vector<std::uint32_t> unit_of;    // by client
  std::vector<graph_step> steps;         // all different
  std::vector<graph_status> statuses;    // all different
  std::vector<std::uint32_t> status_of;  // by state; state 0 is the initial one
  // By state: number of its first edge, and one more at the end.
  std::vector<std::uint64_t> first{0};
  std::vector<edge> edges;
  std::uint32_t accesses = 0;  // how many accesses `steps` have
  bool has_promises = false;   // whether some state has promises

  [[nodiscard]] state_id size() const { return static_cast<state_id>(status_of.size()); }
  [[nodiscard]] std::uint32_t clients() const { return static_cast<std::uint32_t>(unit_of.size()); }
  [[nodiscard]] const graph_status& status(state_id s) const { return statuses[status_of[s]]; }
  [[nodiscard]] std::span<const edge> out(state_id s) const {
    return {edges.data() + first[s], static_cast<std::size_t>(first[s + 1] - first[s])};
  }
  /// Whether `unit` may take a step in `s`, now or as soon as promises are kept.
  [[nodiscard]] bool is_enabled(std::uint32_t unit, state_id s) const;
  /// Whether an operation of `unit` is pending in `s`.
  [[nodiscard]] bool is_pending(std::uint32_t unit, state_id s) const;

  [[nodiscard]] std::size_t memory() const {
    return edges.capacity() * sizeof(edge) + first.capacity() * sizeof(std::uint64_t) +
           status_of.capacity() * sizeof(std::uint32_t);
  }
};

}  // namespace warpcheck
