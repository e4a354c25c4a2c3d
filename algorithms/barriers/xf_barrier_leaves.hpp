// A block returns instead of coming to the barrier of Xiao and Feng.
#pragma once

#include "xf_flags.hpp"

struct xf_barrier_leaves {
  xf_flags<> barrier;

  SIMT_FN void operator()() {
    if (simt::block_index() == simt::block_count() - 1) return;
    barrier.arrive_and_wait();
  }
};
SIMT_SUBJECT(xf_barrier_leaves);
