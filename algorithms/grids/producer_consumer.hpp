// Block 0 produces a value; every other block waits for it. Nothing makes a GPU start block 0
// first, or keep it resident beside the others.
#pragma once

#include <simt/simt.hpp>

struct producer_consumer {
  int value = 0;
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      value = 42;
      ready.store(1, simt::memory_order_release);
    } else {
      while (ready.load(simt::memory_order_acquire) == 0) {
      }
      simt::check(value == 42, "the consumer missed the value");
    }
  }
};
SIMT_SUBJECT(producer_consumer);
