// As `spin`, with the other reading of algorithm 2: `Locked` is a variable of its own, false at
// first, which nothing sets. A thread that has acquired the mutex goes on trying.
#pragma once

#include <simt/simt.hpp>

struct spin_locked_unset {
  simt::atomic<int, simt::thread_scope_device> mutex{0};

  SIMT_FN void lock() {
    const bool locked = false;
    bool acquired = false;
    while (!locked) {
      const int old_value = mutex.exchange(1, simt::memory_order_acquire);
      if (old_value == 0) acquired = true;
    }
    simt::check(acquired, "unreachable: the loop does not end");
  }

  SIMT_FN void unlock() { mutex.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(spin_locked_unset);
