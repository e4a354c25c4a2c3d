// Stuart and Owens, Efficient synchronization primitives for GPUs (2011), section 5: a thread that
// has failed sleeps, a little longer each time; after the longest sleep it begins anew.
#pragma once

#include <simt/simt.hpp>

struct linear_backoff {
  static constexpr unsigned unit = simt::sized(1, 32);  // nanoseconds; the paper's is one read
  static constexpr unsigned shortest = 1;               // units
  static constexpr unsigned longest = simt::sized(2, 16);

  unsigned next;

  SIMT_FN static linear_backoff begin() { return {shortest}; }

  SIMT_FN void sleep() {
    simt::nanosleep(next * unit);
    next = next < longest ? next + 1 : shortest;
  }
};
