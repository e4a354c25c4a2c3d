// The test-and-set lock that the examples with two locks are made of.
#pragma once

#include <simt/simt.hpp>

struct spin_mutex {
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }

  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
