// A counter that is incremented in one step: the right twin of counter_two_steps.
#pragma once

#include <simt/simt.hpp>

struct counter_fetch_add {
  static constexpr const char* spec = "counter";

  simt::atomic<int, simt::thread_scope_device> value{0};

  SIMT_FN void increment() {
    value.fetch_add(1, simt::memory_order_relaxed);
    simt::linearization_point();
  }

  SIMT_FN int read() {
    const int seen = value.load(simt::memory_order_relaxed);
    simt::linearization_point();
    return seen;
  }
};
SIMT_SUBJECT(counter_fetch_add);
