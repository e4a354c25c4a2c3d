// What the barriers between blocks have in common: which phase a thread is in, and their size.
#pragma once

#include <simt/simt.hpp>

/// The papers' listings have no fences, so blocks meet, but what one has written before the barrier
/// need not be visible to the others behind it. With fences it is.
struct no_fences {
  SIMT_FN static void fence() {}
};
struct device_fences {
  SIMT_FN static void fence() { simt::__threadfence(); }
};

struct block_barrier {
  static constexpr unsigned most_blocks = simt::sized(8, simt::measured_blocks);
  static constexpr unsigned most_threads = simt::sized(16, simt::measured_threads);

  int phase[most_threads]{};  // of each thread, used by it alone

  /// The number of the phase that the calling thread comes to: 1, 2, …
  SIMT_FN int next_phase() { return ++phase[simt::thread_rank()]; }
  /// Whether the calling thread speaks for its block.
  SIMT_FN static bool is_master() { return simt::warp_index() == 0 && simt::lane_index() == 0; }
  /// The calling thread's number in its block.
  SIMT_FN static unsigned thread_in_block() {
    return simt::thread_rank() - simt::block_index() * simt::block_size();
  }
};
