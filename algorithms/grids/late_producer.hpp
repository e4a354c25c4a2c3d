// The last block produces a value; every other block waits for it. It need not be started before
// them, nor beside them.
#pragma once

#include <simt/simt.hpp>

struct late_producer {
  int value = 0;
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::block_index() == simt::block_count() - 1) {
      value = 42;
      ready.store(1, simt::memory_order_release);
    } else {
      while (ready.load(simt::memory_order_acquire) == 0) {
      }
      simt::check(value == 42, "the consumer missed the value");
    }
  }
};
SIMT_SUBJECT(late_producer);
