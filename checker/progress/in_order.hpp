// Runs the threads of a program one after the other, in order, each to its end.
//
// The lanes of one warp do that under `stack` with one `if (lane == i) …` for each thread: after
// it, the other lanes wait. Builds of such kernels for GPUs before Volta do that on hardware, too.
#pragma once

#include <cstdint>

#include "checker/progress/graph.hpp"

namespace warpcheck {

enum class in_order_run : std::uint8_t {
  finishes,
  stuck,  // a thread goes round for ever; steps of other threads could still lead to the end
  lost,   // a thread goes round for ever, and no schedule leads to the end any more
};

/// The graph must be complete.
in_order_run run_in_order(const progress_graph& graph);

}  // namespace warpcheck
