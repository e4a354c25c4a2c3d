// Blocks add to a histogram, meet at a counter and read the histogram. A block that has not found
// it complete goes round once more and waits for the others, which have left. `Between`: what
// stands between the histogram and the counter, on either side.
#pragma once

#include <simt/simt.hpp>

struct unfenced_pass {
  SIMT_FN static void pass() {}
};
struct fenced_pass {
  SIMT_FN static void pass() { simt::__threadfence(); }
};

template <class Between>
struct histogram_passes {
  static constexpr unsigned passes = 2;
  unsigned histogram = 0;
  unsigned arrived = 0;

  SIMT_FN void operator()() {
    using count = simt::atomic_ref<unsigned, simt::thread_scope_device>;
    const unsigned lane = simt::lane_index();
    unsigned awaited = 0;
    for (unsigned pass = 0; pass < passes; ++pass) {
      if (pass == 0 && lane == simt::warp_size() - 1) simt::atomicAdd(&histogram, 1U);
      Between::pass();
      simt::syncthreads();
      awaited += simt::block_count();
      if (lane == 0) {
        simt::atomicAdd(&arrived, 1U);
        while (count(arrived).load(simt::memory_order_relaxed) < awaited) {
        }
        Between::pass();
      }
      simt::syncthreads();
      if (count(histogram).load(simt::memory_order_relaxed) == simt::block_count()) return;
    }
  }
};
