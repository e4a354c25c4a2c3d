// Prefix sums of a block's values in shared memory: Hillis and Steele's, with two buffers, and the
// work-efficient one of Blelloch.
#pragma once

#include "../between.hpp"

namespace scan {

constexpr unsigned most_threads = 256;

/// Inclusive: thread t brings t + 1, and gets 1 + … + (t + 1). `Between`: two steps.
template <class Between>
struct hillis_steele {
  struct cells {
    int at[2][most_threads];
  };
  simt::device_array<int> out{"out"};

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned t = simt::thread_rank();
    unsigned from = 0;
    shared.at[from][t] = static_cast<int>(t + 1);
    simt::syncthreads();
    for (unsigned distance = 1; distance < simt::block_size(); distance *= 2) {
      const int left = t >= distance ? shared.at[from][t - distance] : 0;
      shared.at[1 - from][t] = shared.at[from][t] + left;
      from = 1 - from;
      Between::pass();
    }
    out[t] = shared.at[from][t];
  }

  bool check(const simt::launch_shape& shape) const {
    for (unsigned t = 0; t < shape.threads; ++t) {
      if (out[t] != static_cast<int>((t + 1) * (t + 2) / 2)) return false;
    }
    return true;
  }
};

/// Exclusive: thread t brings t + 1, and gets 1 + … + t. `Between`: two steps on the way down.
template <class Between>
struct work_efficient {
  struct cells {
    int at[most_threads];
  };
  simt::device_array<int> out{"out"};

  SIMT_FN void operator()() {
    cells& shared = simt::block_shared<cells>();
    const unsigned t = simt::thread_rank();
    const unsigned count = simt::block_size();
    shared.at[t] = static_cast<int>(t + 1);
    simt::syncthreads();
    for (unsigned step = 1; step < count; step *= 2) {
      const unsigned right = (t + 1) * step * 2 - 1;
      if (right < count) shared.at[right] += shared.at[right - step];
      simt::syncthreads();
    }
    if (t == 0) shared.at[count - 1] = 0;
    simt::syncthreads();
    for (unsigned step = count / 2; step > 0; step /= 2) {
      const unsigned right = (t + 1) * step * 2 - 1;
      if (right < count) {
        const int left = shared.at[right - step];
        shared.at[right - step] = shared.at[right];
        shared.at[right] += left;
      }
      Between::pass();
    }
    out[t] = shared.at[t];
  }

  bool check(const simt::launch_shape& shape) const {
    for (unsigned t = 0; t < shape.threads; ++t) {
      if (out[t] != static_cast<int>(t * (t + 1) / 2)) return false;
    }
    return true;
  }
};

}  // namespace scan
