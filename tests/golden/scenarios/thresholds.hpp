// Lanes wait for each other to raise a number: all but one for the one, and this one for nobody.
#pragma once

#include <simt/simt.hpp>

struct thresholds {
  simt::atomic<int, simt::thread_scope_device> n{0};
  SIMT_FN void operator()() {
    if (simt::thread_rank() != 5) {
      while (n.load(simt::memory_order_relaxed) < 1000) {
      }
      return;
    }
    while (n.load(simt::memory_order_acquire) < 7) {
    }
    n.store(1000, simt::memory_order_release);
  }
};
SIMT_SUBJECT(thresholds);
