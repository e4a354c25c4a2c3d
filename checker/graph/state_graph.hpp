// The graph of what may happen from a state on, state by state and without reductions: for
// pictures, and for hints to whoever plays the scheduler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/run/session.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

struct graph_edge {
  simt::choice by;
  std::uint32_t to = 0;                    // a node
  simt::ending ends = simt::ending::none;  // otherwise the run ends here, and `to` means nothing
};

struct graph_node {
  simt::state_words state;
  std::vector<graph_edge> edges;
  bool complete = false;  // all lanes have exited
  bool fails = false;     // then: the final check says that the result is wrong
  bool diverges = false;  // the state itself ends the run: barrier divergence
  bool can_end = false;   // some schedule ends, as far as the graph shows
  /// Under `ptx`: a store is visible early, and no schedule carries it out, so this is no run. Only
  /// in a graph that is whole.
  bool is_void = false;
  verdict_set found = 0;  // violations that can be met from here, as far as the graph shows
};

struct state_graph {
  std::vector<graph_node> nodes;  // the first one is where it starts
  bool whole = true;              // false: there are more than were asked for
};

/// Explores at most `most` states from `start`. `found` has the violations of single steps and
/// states: deadlocks only where the graph is whole, no livelocks, and no races of a memory in order
/// that show only in two successive steps. Where the machine has learnt something on the way
/// (machine::has_news), the graph is void.
state_graph graph_from(session& run, const simt::state_words& start, std::size_t most);

/// The verdict of a deadlock in `state`: `simt-deadlock` where the lanes could finish under
/// independent thread scheduling.
verdict kind_of_deadlock(session& run, simt::state_view state);

}  // namespace warpcheck
