// The barrier of Xiao and Feng (2010) with a `syncthreads` before it, so that a block arrives when
// all of its threads have.
#pragma once

#include "xf_flags.hpp"

struct xf_barrier_joined : xf_flags<> {
  SIMT_FN void arrive_and_wait() {
    simt::syncthreads();
    meet(next_phase());
  }
};
SIMT_SUBJECT(xf_barrier_joined);
