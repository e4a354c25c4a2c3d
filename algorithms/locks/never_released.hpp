// A test-and-set lock whose unlock does nothing: every other client waits for ever.
#pragma once

#include <simt/simt.hpp>

struct never_released {
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }

  SIMT_FN void unlock() {}
};
SIMT_SUBJECT(never_released);
