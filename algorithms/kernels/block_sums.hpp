// The sum of a block's values: by a tree in shared memory, and by shuffles and a shared cell for
// each warp.
#pragma once

#include "../between.hpp"

namespace block_sum {

constexpr unsigned most_threads = 1024;

/// Thread t brings t, and thread 0 has the sum.
inline bool is_sum(int value, unsigned threads) {
  return value == static_cast<int>(threads * (threads - 1) / 2);
}

/// In each step the first half of the cells takes in the second one. `Between`: two steps.
template <class Between>
struct by_tree {
  struct cells {
    int at[most_threads];
  };
  int result = 0;

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned t = simt::thread_rank();
    shared.at[t] = static_cast<int>(t);
    simt::syncthreads();
    for (unsigned half = simt::block_size() / 2; half > 0; half /= 2) {
      if (t < half) shared.at[t] += shared.at[t + half];
      Between::pass();
    }
    if (t == 0) result = shared.at[0];
  }

  bool check(const simt::launch_shape& shape) const { return is_sum(result, shape.threads); }
};

SIMT_FN int sum_of_warp(int value) {
  for (unsigned distance = simt::warp_size() / 2; distance > 0; distance /= 2) {
    value += simt::shfl_down(simt::full_mask, value, distance);
  }
  return value;
}

/// `Between`: storing the sum of a warp and reading those of all warps.
template <class Between>
struct by_shuffles {
  struct cells {
    int at[most_threads / 32];
  };
  int result = 0;

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned lane = simt::lane_index();
    const int own = sum_of_warp(static_cast<int>(simt::thread_rank()));
    if (lane == 0) shared.at[simt::warp_index()] = own;
    Between::pass();
    if (simt::warp_index() != 0) return;
    const int all = sum_of_warp(lane < simt::warp_count() ? shared.at[lane] : 0);
    if (lane == 0) result = all;
  }

  bool check(const simt::launch_shape& shape) const { return is_sum(result, shape.threads); }
};

}  // namespace block_sum
