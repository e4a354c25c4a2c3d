// Two warps set up a block and start the worker warps, which wait for a flag. `before_split`: the
// barrier of the block stands where all warps come by; otherwise only in the set-up.
#pragma once

#include <simt/simt.hpp>

template <bool before_split>
struct late_workers {
  static constexpr unsigned first_worker = 2;
  struct job {
    simt::atomic<int, simt::thread_scope_block> ready;
    int size;
  };

  SIMT_FN void operator()() {
    job& shared = simt::block_shared<job>();
    const unsigned warp = simt::warp_index();
    if constexpr (before_split) simt::syncthreads();
    if (warp < first_worker) {
      if constexpr (!before_split) simt::syncthreads();
      if (warp == 0) {
        shared.size = 3;
        shared.ready.store(1, simt::memory_order_release);
      }
    } else {
      while (shared.ready.load(simt::memory_order_acquire) == 0) {
      }
      simt::check(shared.size == 3, "the job is not there yet");
    }
  }
};
