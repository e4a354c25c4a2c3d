// As atomic_counter, waiting until the counter is at least the goal.
#pragma once

#include "block_barrier.hpp"

struct atomic_counter_at_least : block_barrier {
  int mutex = 0;

  SIMT_FN void arrive_and_wait() {
    const int goal = next_phase() * static_cast<int>(simt::block_count());
    if (is_master()) {
      simt::atomicAdd(&mutex, 1);
      while (*static_cast<volatile int*>(&mutex) < goal) {
      }
    }
    simt::syncthreads();
  }
};
SIMT_SUBJECT(atomic_counter_at_least);
