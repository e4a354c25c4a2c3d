// As xf_barrier, with the loops of the paper's listing: thread i of the master block looks at flag
// i and no other, so a block must have as many threads as there are blocks.
#pragma once

#include "block_barrier.hpp"

struct xf_barrier_published_master : block_barrier {
  volatile int arrived[most_blocks]{};
  volatile int released[most_blocks]{};

  SIMT_FN void arrive_and_wait() {
    const int goal = next_phase();
    const unsigned block = simt::block_index();
    const unsigned thread = thread_in_block();
    if (thread == 0) arrived[block] = goal;
    if (block == 1) {
      if (thread < simt::block_count()) {
        while (arrived[thread] != goal) {
        }
      }
      simt::syncthreads();
      if (thread < simt::block_count()) released[thread] = goal;
    }
    if (thread == 0) {
      while (released[block] != goal) {
      }
    }
    simt::syncthreads();
  }
};
SIMT_SUBJECT(xf_barrier_published_master);
