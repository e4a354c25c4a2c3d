// A broken barrier: its counter is right for the first phase, and nobody sets it back. In later
// phases it lets everybody pass.
#pragma once

#include "block_barrier.hpp"

struct never_reset : block_barrier {
  int count = 0;

  SIMT_FN void arrive_and_wait() {
    simt::syncthreads();
    if (is_master()) {
      simt::atomicAdd(&count, 1);
      while (*static_cast<volatile int*>(&count) < static_cast<int>(simt::block_count())) {
      }
    }
    simt::syncthreads();
  }
};
SIMT_SUBJECT(never_reset);
