// Warp 0 waits twice at a barrier at which warp 1 arrives once.
#pragma once

#include <simt/simt.hpp>

struct named_barrier {
  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      simt::named_barrier_sync(1, 2);
      simt::named_barrier_sync(1, 2);
    } else {
      simt::named_barrier_arrive(1, 2);
    }
  }
};
SIMT_SUBJECT(named_barrier);
