// A broken semaphore: between looking whether there is a permit and taking it, another may look.
#pragma once

#include <simt/simt.hpp>

struct one_too_many {
  static constexpr int permits = 2;

  simt::atomic<int, simt::thread_scope_device> left{permits};

  SIMT_FN void acquire() {
    while (left.load(simt::memory_order_relaxed) == 0) {
    }
    left.fetch_sub(1, simt::memory_order_acquire);
  }
  SIMT_FN void release() { left.fetch_add(1, simt::memory_order_release); }
};
SIMT_SUBJECT(one_too_many);
