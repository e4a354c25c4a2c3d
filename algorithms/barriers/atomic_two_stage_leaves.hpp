// A block returns instead of coming to the two-stage atomic barrier.
#pragma once

#include "two_counters.hpp"

struct atomic_two_stage_leaves {
  two_counters<2> barrier;

  SIMT_FN void operator()() {
    if (simt::block_index() == simt::block_count() - 1) return;
    barrier.arrive_and_wait();
  }
};
SIMT_SUBJECT(atomic_two_stage_leaves);
