// As `load_buffering`, with loads that acquire and stores that release: then each store comes
// before what the other lane does behind its load, and there is no way round.
#pragma once

#include <simt/simt.hpp>

struct load_buffering_acquire {
  simt::atomic<int, simt::thread_scope_device> x{0};
  simt::atomic<int, simt::thread_scope_device> y{0};
  simt::atomic<int, simt::thread_scope_device> seen{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      const int old = x.load(simt::memory_order_acquire);
      y.store(1, simt::memory_order_release);
      seen.fetch_add(old, simt::memory_order_relaxed);
    } else {
      const int old = y.load(simt::memory_order_acquire);
      x.store(1, simt::memory_order_release);
      const int before = seen.fetch_add(old, simt::memory_order_relaxed);
      simt::check(before + old < 2, "both have read what the other one stored afterwards");
    }
  }
};
SIMT_SUBJECT(load_buffering_acquire);
