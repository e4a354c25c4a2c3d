// The barrier with one atomic counter of Xiao and Feng (2010, "GPU simple synchronization"), as
// published: the counter grows by one for each block and phase, and a block waits until it equals
// its goal. It may never see that: a block that does has left, and may already have counted itself
// for the next phase.
#pragma once

#include "block_barrier.hpp"

struct atomic_counter : block_barrier {
  int mutex = 0;

  SIMT_FN void arrive_and_wait() {
    const int goal = next_phase() * static_cast<int>(simt::block_count());
    if (is_master()) {
      simt::atomicAdd(&mutex, 1);
      while (*static_cast<volatile int*>(&mutex) != goal) {
      }
    }
    simt::syncthreads();
  }
};
SIMT_SUBJECT(atomic_counter);
