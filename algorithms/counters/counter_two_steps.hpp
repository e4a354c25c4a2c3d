// A counter that is read and written in two steps: of two increments at once, one may be lost.
#pragma once

#include <simt/simt.hpp>

struct counter_two_steps {
  static constexpr const char* spec = "counter";

  simt::atomic<int, simt::thread_scope_device> value{0};

  SIMT_FN void increment() {
    const int seen = value.load(simt::memory_order_relaxed);
    value.store(seen + 1, simt::memory_order_relaxed);
  }

  SIMT_FN int read() { return value.load(simt::memory_order_relaxed); }
};
SIMT_SUBJECT(counter_two_steps);
