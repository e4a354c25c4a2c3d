// The lanes of a warp meet at two syncthreads, one in each arm of a divergent branch. CUDA calls
// that undefined, though both are the block's barrier.
#pragma once

#include <simt/simt.hpp>

struct syncthreads_in_both_arms {
  simt::atomic<int, simt::thread_scope_block> odd{0};
  simt::atomic<int, simt::thread_scope_block> even{0};

  SIMT_FN void operator()() {
    if (simt::lane_index() % 2 == 1) {
      odd.fetch_add(1, simt::memory_order_relaxed);
      simt::syncthreads();
    } else {
      even.fetch_add(1, simt::memory_order_relaxed);
      simt::syncthreads();
    }
  }
};
SIMT_SUBJECT(syncthreads_in_both_arms);
