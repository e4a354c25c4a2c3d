// Batcher's bitonic sort in shared memory: two keys for each thread of a block.
#pragma once

#include "../between.hpp"

/// `Between`: two steps.
template <class Between>
struct bitonic_sorts {
  struct cells {
    int at[64];
  };
  int out[64]{};

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned t = simt::thread_rank();
    const unsigned keys = 2 * simt::block_size();
    for (unsigned own = 2 * t; own < 2 * t + 2; ++own) {
      shared.at[own] = static_cast<int>((own * 37 + 11) % keys);  // in disorder, each once
    }
    simt::syncthreads();
    for (unsigned size = 2; size <= keys; size *= 2) {
      for (unsigned distance = size / 2; distance > 0; distance /= 2) {
        const unsigned low = 2 * t - (t & (distance - 1));
        const unsigned high = low + distance;
        const bool rises = (low & size) == 0;
        const int a = shared.at[low];
        const int b = shared.at[high];
        if ((a > b) == rises) {
          shared.at[low] = b;
          shared.at[high] = a;
        }
        Between::pass();
      }
    }
    for (unsigned own = 2 * t; own < 2 * t + 2; ++own) out[own] = shared.at[own];
  }

  bool check(const simt::launch_shape& shape) const {
    for (unsigned i = 0; i < 2 * shape.threads; ++i) {
      if (out[i] != static_cast<int>(i)) return false;
    }
    return true;
  }
};
