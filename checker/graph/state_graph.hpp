// The graph of what may happen from a state on, state by state and without reductions. It serves
// pictures, and hints to a person who plays the scheduler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/run/session.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

struct graph_edge {
  simt::choice by;
  std::uint32_t to = 0;                    // number of a node
  simt::ending ends = simt::ending::none;  // if not none, the run ends here, and `to` means nothing
};

struct graph_node {
  simt::state_words state;
  std::vector<graph_edge> edges;
  bool complete = false;  // all lanes have exited
  bool fails = false;     // all lanes have exited, and the final check fails
  bool diverges = false;  // the state itself ends the run: barrier divergence
  bool can_end = false;   // some schedule ends, as far as the graph shows
  /// Under `ptx`: a store is visible early, and no schedule carries it out, so this is no run. Only
  /// set in a graph that is whole.
  bool is_void = false;
  verdict_set found = 0;  // violations that can be met from here, as far as the graph shows
};

struct state_graph {
  std::vector<graph_node> nodes;  // the first one is the start
  bool whole = true;              // false: there are more states than were asked for
};

/// Explores at most `most` states from `start`. `found` has the violations of single steps and
/// states. It has deadlocks only if the graph is whole, and no livelocks. It lacks races of a
/// memory in order that only show in two successive steps. If the machine has learnt something on
/// the way (machine::has_news), the graph is void.
state_graph graph_from(session& run, const simt::state_words& start, std::size_t most);

/// Returns the verdict of a deadlock in `state`: `simt-deadlock` if the lanes could finish under
/// independent thread scheduling.
verdict kind_of_deadlock(session& run, simt::state_view state);

}  // namespace warpcheck
