// A counter that goes up and down by compare-exchange: lock-free, since an attempt fails only where
// another one succeeded, and not wait-free, since it may fail each time.
#pragma once

#include <simt/simt.hpp>

struct up_down_cas {
  static constexpr const char* spec = "counter";

  simt::atomic<int, simt::thread_scope_device> value{0};

  SIMT_FN void increment() { change(1); }
  SIMT_FN void decrement() { change(-1); }
  SIMT_FN int read() { return value.load(simt::memory_order_relaxed); }

 private:
  SIMT_FN void change(int by) {
    int seen = value.load(simt::memory_order_relaxed);
    while (!value.compare_exchange_strong(seen, seen + by, simt::memory_order_relaxed)) {
    }
  }
};
SIMT_SUBJECT(up_down_cas);
