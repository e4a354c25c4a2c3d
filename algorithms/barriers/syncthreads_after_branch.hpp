// As syncthreads_in_both_arms, but with one syncthreads behind the branch.
#pragma once

#include <simt/simt.hpp>

struct syncthreads_after_branch {
  simt::atomic<int, simt::thread_scope_block> odd{0};
  simt::atomic<int, simt::thread_scope_block> even{0};

  SIMT_FN void operator()() {
    if (simt::lane_index() % 2 == 1) {
      odd.fetch_add(1, simt::memory_order_relaxed);
    } else {
      even.fetch_add(1, simt::memory_order_relaxed);
    }
    simt::syncthreads();
    simt::check(odd.load(simt::memory_order_relaxed) + even.load(simt::memory_order_relaxed) ==
                    static_cast<int>(simt::block_size()),
                "a lane passed the barrier before the others arrived");
  }
};
SIMT_SUBJECT(syncthreads_after_branch);
