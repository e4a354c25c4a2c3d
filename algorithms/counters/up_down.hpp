// A counter that goes up and down, each time in one step: wait-free.
#pragma once

#include <simt/simt.hpp>

struct up_down {
  static constexpr const char* spec = "counter";

  simt::atomic<int, simt::thread_scope_device> value{0};

  SIMT_FN void increment() { value.fetch_add(1, simt::memory_order_relaxed); }
  SIMT_FN void decrement() { value.fetch_sub(1, simt::memory_order_relaxed); }
  SIMT_FN int read() { return value.load(simt::memory_order_relaxed); }
};
SIMT_SUBJECT(up_down);
