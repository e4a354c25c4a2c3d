// Only lanes of even rank call `lock`; the others do something else and exit. A `syncwarp` waits
// for them no longer than that.
#pragma once

#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp_some_lanes {
  syncwarp_ticket_lock lock;
  int counter = 0;
  simt::atomic<int, simt::thread_scope_device> others{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() % 2 == 0) {
      lock.lock();
      ++counter;
      lock.unlock();
    } else {
      others.fetch_add(1, simt::memory_order_relaxed);
    }
  }

  bool check(const simt::launch_shape& shape) const {
    return counter + others.host_value() == static_cast<int>(shape.clients);
  }
};
SIMT_SUBJECT(ticket_syncwarp_some_lanes);
