// Two locks, taken in opposite orders; who does not get the second gives back the first. That is no
// deadlock. But two who keep step with each other take, fail and give back for ever.
#pragma once

#include <simt/simt.hpp>

struct two_locks_backoff {
  simt::atomic<int, simt::thread_scope_device> held[2] = {0, 0};

  SIMT_FN void operator()() {
    const unsigned first = simt::thread_rank() % 2;
    const unsigned second = 1 - first;
    for (;;) {
      while (held[first].exchange(1, simt::memory_order_acquire) != 0) {
      }
      if (held[second].exchange(1, simt::memory_order_acquire) == 0) break;
      held[first].store(0, simt::memory_order_release);
    }
    held[second].store(0, simt::memory_order_release);
    held[first].store(0, simt::memory_order_release);
  }
};
SIMT_SUBJECT(two_locks_backoff);
