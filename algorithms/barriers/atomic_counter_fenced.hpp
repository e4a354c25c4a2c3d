// As atomic_counter_at_least, for blocks of several threads, with fences: each block's writes
// before the barrier are visible to all behind it.
#pragma once

#include "block_barrier.hpp"

struct atomic_counter_fenced : block_barrier {
  int mutex = 0;

  SIMT_FN void arrive_and_wait() {
    const int goal = next_phase() * static_cast<int>(simt::block_count());
    simt::syncthreads();
    if (is_master()) {
      device_fences::fence();
      simt::atomicAdd(&mutex, 1);
      while (*static_cast<volatile int*>(&mutex) < goal) {
      }
      device_fences::fence();
    }
    simt::syncthreads();
  }
};
SIMT_SUBJECT(atomic_counter_fenced);
