// Lanes exit at different times: lane i takes the lock i times, lane 0 never. A `syncwarp` does not
// wait for lanes that have exited.
#pragma once

#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp_exits_early {
  syncwarp_ticket_lock lock;
  int counter = 0;

  SIMT_FN void operator()() {
    const unsigned times = simt::lane_index();
    for (unsigned i = 0; i < times; ++i) {
      lock.lock();
      ++counter;
      lock.unlock();
    }
  }

  /// For one warp.
  bool check(const simt::launch_shape& shape) const {
    return counter == static_cast<int>(shape.threads * (shape.threads - 1) / 2);
  }
};
SIMT_SUBJECT(ticket_syncwarp_exits_early);
