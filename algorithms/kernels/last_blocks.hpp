// The sum of a grid's values: each block stores its sum and counts itself; the last one adds up
// what the others have stored. (CUDA's sample threadFenceReduction.)
#pragma once

#include "block_sums.hpp"

/// `Between`: storing the block's sum and counting.
template <class Between>
struct last_blocks {
  static constexpr unsigned most_blocks = 32;
  struct cells {
    int at[32];
  };
  struct is_last {
    unsigned value;
  };
  int sums[most_blocks]{};
  unsigned count = 0;
  int result = 0;

  SIMT_FN static int sum_of_block(int value) {
    cells& shared = simt::block_shared<cells>();
    const unsigned lane = simt::lane_index();
    const int own = block_sum::sum_of_warp(value);
    if (lane == 0) shared.at[simt::warp_index()] = own;
    simt::syncthreads();
    if (simt::warp_index() != 0) return 0;
    return block_sum::sum_of_warp(lane < simt::warp_count() ? shared.at[lane] : 0);
  }

  SIMT_FN void operator()() {
    unsigned& last = simt::block_shared<is_last>().value;
    const unsigned t = simt::thread_rank() % simt::block_size();
    const int own = sum_of_block(static_cast<int>(simt::thread_rank()));
    if (t == 0) {
      sums[simt::block_index()] = own;
      Between::pass();
      last = simt::atomicAdd(&count, 1U) == simt::block_count() - 1 ? 1U : 0U;
    }
    simt::syncthreads();
    if (last == 0) return;
    simt::__threadfence();
    const int all = sum_of_block(t < simt::block_count() ? sums[t] : 0);
    if (t == 0) result = all;
  }

  bool check(const simt::launch_shape& shape) const {
    return block_sum::is_sum(result, shape.threads);
  }
};
