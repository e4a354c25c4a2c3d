// Odd lanes return before a syncthreads of the others, which does not wait for them.
#pragma once

#include <simt/simt.hpp>

struct early_return {
  simt::atomic<int, simt::thread_scope_block> arrived{0};

  SIMT_FN void operator()() {
    if (simt::lane_index() % 2 == 1) return;
    arrived.fetch_add(1, simt::memory_order_relaxed);
    simt::syncthreads();
    arrived.fetch_add(1, simt::memory_order_relaxed);
  }
};
SIMT_SUBJECT(early_return);
