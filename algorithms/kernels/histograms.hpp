// A histogram: each block counts in shared memory, by atomics, and adds its counts to the grid's.
#pragma once

#include "../between.hpp"

/// `Between`: counting and adding.
template <class Between>
struct histograms {
  static constexpr unsigned bins = 4;
  struct counts {
    unsigned at[bins];
  };
  unsigned result[bins]{};

  SIMT_FN void operator()() {
    counts& shared = simt::block_shared<counts>();
    const unsigned t = simt::thread_rank() % simt::block_size();
    if (t < bins) shared.at[t] = 0;
    simt::syncthreads();
    simt::atomicAdd(&shared.at[simt::thread_rank() % bins], 1U);
    Between::pass();
    if (t < bins) simt::atomicAdd(&result[t], shared.at[t]);
  }

  bool check(const simt::launch_shape& shape) const {
    for (const unsigned count : result) {
      if (count != shape.threads / bins) return false;
    }
    return true;
  }
};
