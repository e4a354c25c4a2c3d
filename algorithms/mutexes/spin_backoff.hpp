// The spin mutex of Stuart and Owens (2011), algorithm 2, with backoff.
#pragma once

#include "backoff.hpp"

struct spin_backoff {
  simt::atomic<int, simt::thread_scope_device> mutex{0};

  SIMT_FN void lock() {
    auto backoff = linear_backoff::begin();
    bool acquired = false;
    while (!acquired) {
      if (mutex.exchange(1, simt::memory_order_acquire) == 0) {
        acquired = true;
      } else {
        backoff.sleep();
      }
    }
  }

  SIMT_FN void unlock() { mutex.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(spin_backoff);
