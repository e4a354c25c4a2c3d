// A barrier of the whole grid: each block arrives, and waits until all have. It needs a scheduler
// that starts every block while others wait (Xiao and Feng, IPDPS 2010, assume that all are
// resident).
#pragma once

#include <simt/simt.hpp>

struct global_barrier {
  simt::atomic<int, simt::thread_scope_device> arrived{0};

  SIMT_FN void operator()() {
    arrived.fetch_add(1, simt::memory_order_acq_rel);
    while (arrived.load(simt::memory_order_acquire) != static_cast<int>(simt::grid_size())) {
    }
  }
};
SIMT_SUBJECT(global_barrier);
