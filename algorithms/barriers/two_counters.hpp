// A barrier of two stages with an atomic counter each: in the first, blocks wait until all have
// come; in the second, until all have seen it, so that the first counter may be used again. Odd
// phases count up to the number of blocks, even ones down to 0. `stages` is 1 in the broken twin.
// (Stuart and Owens, 2011, measure "the two-stage atomic barrier" and give no listing.)
#pragma once

#include "block_barrier.hpp"

template <int stages, class Fences = no_fences>
struct two_counters : block_barrier {
  int counters[2]{};

  SIMT_FN void arrive_and_wait() {
    const bool up = next_phase() % 2 == 1;
    simt::syncthreads();
    if (is_master()) {
      for (int i = 0; i < stages; ++i) {
        Fences::fence();
        simt::atomicAdd(&counters[i], up ? 1 : -1);
        const int goal = up ? static_cast<int>(simt::block_count()) : 0;
        while (*static_cast<volatile int*>(&counters[i]) != goal) {
        }
        Fences::fence();
      }
    }
    simt::syncthreads();
  }
};
