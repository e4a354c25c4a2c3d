// A test-and-set lock whose unlock releases nothing: who comes next may not see what was done.
#pragma once

#include <simt/simt.hpp>

struct tas_no_release {
  simt::atomic<int, simt::thread_scope_device> mutex{0};

  SIMT_FN void lock() {
    while (mutex.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }

  SIMT_FN void unlock() { mutex.store(0, simt::memory_order_relaxed); }
};
SIMT_SUBJECT(tas_no_release);
