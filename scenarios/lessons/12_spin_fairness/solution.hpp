// All take the locks in one order, so nobody has to give one back.
#pragma once

#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN bool try_lock() { return held.exchange(1, simt::memory_order_acquire) == 0; }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};

SIMT_FN inline void lock_both(spin_lock* locks, unsigned one, unsigned other) {
  const unsigned first = one < other ? one : other;
  const unsigned second = one < other ? other : one;
  while (!locks[first].try_lock()) {
  }
  while (!locks[second].try_lock()) {
  }
}
