// Load buffering: each of two lanes reads what the other one stores behind its own load. Seen on
// GPUs; tools that carry out instructions in program order do not find it.
#pragma once

#include <simt/simt.hpp>

struct load_buffering {
  simt::atomic<int, simt::thread_scope_device> x{0};
  simt::atomic<int, simt::thread_scope_device> y{0};
  simt::atomic<int, simt::thread_scope_device> seen{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      const int old = x.load(simt::memory_order_relaxed);
      y.store(1, simt::memory_order_relaxed);
      seen.fetch_add(old, simt::memory_order_relaxed);
    } else {
      const int old = y.load(simt::memory_order_relaxed);
      x.store(1, simt::memory_order_relaxed);
      const int before = seen.fetch_add(old, simt::memory_order_relaxed);
      simt::check(before + old < 2, "both have read what the other one stored afterwards");
    }
  }
};
SIMT_SUBJECT(load_buffering);
