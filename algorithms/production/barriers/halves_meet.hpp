// The lanes of a warp take the two arms of a branch, and the warp meets another one at a numbered
// barrier. `in_arms`: each arm has a copy of the barrier, as a compiler makes that moves what
// follows a branch into it. Otherwise the barrier stands behind the branch.
#pragma once

#include <simt/simt.hpp>

template <bool in_arms>
struct halves_meet {
  simt::atomic<int, simt::thread_scope_block> low{0};
  simt::atomic<int, simt::thread_scope_block> high{0};

  SIMT_FN void operator()() {
    if (simt::warp_index() == 1) {
      simt::named_barrier_sync(1, 2);
      return;
    }
    if (simt::lane_index() == 0) {
      low.fetch_add(1, simt::memory_order_relaxed);
      if constexpr (in_arms) simt::named_barrier_sync(1, 2);
    } else {
      high.fetch_add(1, simt::memory_order_relaxed);
      if constexpr (in_arms) simt::named_barrier_sync(1, 2);
    }
    if constexpr (!in_arms) simt::named_barrier_sync(1, 2);
  }
};
