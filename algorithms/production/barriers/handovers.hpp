// One warp stores a value and arrives at a numbered barrier, at which the other one waits. Both say
// that the barrier counts `warps`.
#pragma once

#include <simt/simt.hpp>

template <unsigned warps>
struct handovers {
  int value = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      if (simt::lane_index() == 0) value = 7;
      simt::syncwarp();
      simt::named_barrier_arrive(1, warps);
    } else {
      simt::named_barrier_sync(1, warps);
      simt::check(value == 7, "the value is not there yet");
    }
  }
};
