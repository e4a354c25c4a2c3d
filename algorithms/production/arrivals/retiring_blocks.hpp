// All threads add to a histogram; thread 0 counts its block as done, and the last block reads the
// histogram. `How`: what stands before thread 0 counts.
#pragma once

#include <simt/simt.hpp>

struct fence_only {
  SIMT_FN static void all() { simt::__threadfence(); }
  SIMT_FN static void first() {}
};
struct fence_and_barrier {
  SIMT_FN static void all() {
    simt::__threadfence();
    simt::syncthreads();
  }
  SIMT_FN static void first() {}
};
struct barrier_and_fence {
  SIMT_FN static void all() { simt::syncthreads(); }
  SIMT_FN static void first() { simt::__threadfence(); }
};
struct barrier_only {
  SIMT_FN static void all() { simt::syncthreads(); }
  SIMT_FN static void first() {}
};

template <class How>
struct retiring_blocks {
  struct is_last {
    unsigned value;
  };
  unsigned histogram = 0;
  unsigned retired = 0;
  unsigned seen = 0;

  SIMT_FN void operator()() {
    using count = simt::atomic_ref<unsigned, simt::thread_scope_device>;
    unsigned& last = simt::block_shared<is_last>().value;
    const unsigned thread = simt::thread_rank() % simt::block_size();
    simt::atomicAdd(&histogram, 1U);
    How::all();
    if (thread == 0) {
      How::first();
      last = simt::atomicAdd(&retired, 1U) == simt::block_count() - 1 ? 1U : 0U;
    }
    simt::syncthreads();
    if (last == 0) return;
    simt::__threadfence();
    if (thread == 1) seen = count(histogram).load(simt::memory_order_relaxed);
  }

  const char* check(const simt::launch_shape& shape) const {
    return seen == shape.threads ? nullptr : "the last block has not seen all";
  }
};
