// Takes two locks. Who does not get the second one gives the first one back, so that nobody waits
// with a lock in hand.
#pragma once

#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN bool try_lock() { return held.exchange(1, simt::memory_order_acquire) == 0; }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};

SIMT_FN inline void lock_both(spin_lock* locks, unsigned one, unsigned other) {
  while (true) {
    while (!locks[one].try_lock()) {
    }
    if (locks[other].try_lock()) return;
    locks[one].unlock();
  }
}
