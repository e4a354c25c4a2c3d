// As xf_barrier_joined, with fences: each block's writes before the barrier are visible to all
// behind it.
#pragma once

#include "xf_flags.hpp"

struct xf_barrier_fenced : xf_flags<device_fences> {
  SIMT_FN void arrive_and_wait() {
    simt::syncthreads();
    meet(next_phase());
  }
};
SIMT_SUBJECT(xf_barrier_fenced);
