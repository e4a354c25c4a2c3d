// A prefix sum of a grid in one pass (Merrill and Garland 2016): each block publishes the sum of
// its values, looks back over the blocks before it until one has published its prefix, and
// publishes its own.
#pragma once

#include "block_sums.hpp"

/// `Between`: storing a value and raising its flag.
template <class Between>
struct look_backs {
  static constexpr unsigned most_blocks = 8;
  static constexpr int nothing_yet = 0, has_sum = 1, has_prefix = 2;
  struct before {
    int value;
  };
  int sum[most_blocks]{};
  int prefix[most_blocks]{};
  simt::atomic<int> flag[most_blocks];
  simt::device_array<int> out{"out"};

  SIMT_FN void publish(int (&where)[most_blocks], int value, int as) {
    where[simt::block_index()] = value;
    Between::pass();
    flag[simt::block_index()].store(as, simt::memory_order_relaxed);
  }

  SIMT_FN int look_back() {
    int all = 0;
    for (unsigned b = simt::block_index(); b-- > 0;) {
      int seen = nothing_yet;
      while (seen == nothing_yet) seen = flag[b].load(simt::memory_order_relaxed);
      simt::__threadfence();
      if (seen == has_prefix) return all + prefix[b];
      all += sum[b];
    }
    return all;
  }

  SIMT_FN void operator()() {
    before& shared = simt::block_shared<before>();
    const unsigned lane = simt::lane_index();
    const int own = static_cast<int>(simt::thread_rank());
    int scanned = own;
    for (unsigned distance = 1; distance < simt::warp_size(); distance *= 2) {
      const int left = simt::shfl_up(simt::full_mask, scanned, distance);
      if (lane >= distance) scanned += left;
    }
    if (lane == simt::warp_size() - 1) {
      if (simt::block_index() > 0) publish(sum, scanned, has_sum);
      shared.value = look_back();
      publish(prefix, shared.value + scanned, has_prefix);
    }
    simt::syncthreads();
    out[simt::thread_rank()] = shared.value + scanned;
  }

  bool check(const simt::launch_shape& shape) const {
    for (unsigned t = 0; t < shape.threads; ++t) {
      if (out[t] != static_cast<int>(t * (t + 1) / 2)) return false;
    }
    return true;
  }
};
