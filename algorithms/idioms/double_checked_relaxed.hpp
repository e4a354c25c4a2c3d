// As `double_checked`, with a relaxed flag: who finds it without the lock may find the value not
// there.
#pragma once

#include <simt/simt.hpp>

struct double_checked_relaxed {
  simt::atomic<int, simt::thread_scope_device> ready{0};
  int mutex = 0;
  int value = 0;
  int initialized = 0;  // how often

  SIMT_FN int get() {
    if (ready.load(simt::memory_order_relaxed) == 0) {
      while (simt::atomicCAS(&mutex, 0, 1) != 0) {
      }
      simt::__threadfence();
      if (ready.load(simt::memory_order_relaxed) == 0) {
        initialized = initialized + 1;
        value = 42;
        ready.store(1, simt::memory_order_relaxed);
      }
      simt::__threadfence();
      simt::atomicExch(&mutex, 0);
    }
    return value;
  }

  SIMT_FN void operator()() { simt::check(get() == 42, "the value is not initialized"); }

  bool check() const { return initialized == 1; }
};
SIMT_SUBJECT(double_checked_relaxed);
