// What becomes of a program if its threads run one after the other, in order, each to its end.
//
// That is what the lanes of one warp do under `stack` with one `if (lane == i) …` for each thread:
// behind it, the other lanes wait. And it is what pre-Volta builds of such kernels do on hardware.
#pragma once

#include <cstdint>

#include "checker/progress/graph.hpp"

namespace warpcheck {

enum class in_order_run : std::uint8_t {
  finishes,
  stuck,  // a thread goes round for ever; steps of others could still lead to the end
  lost,   // a thread goes round for ever, and no schedule leads to the end any more
};

/// The graph must be complete.
in_order_run run_in_order(const progress_graph& graph);

}  // namespace warpcheck
