// A barrier of the grid that is used again and again: blocks count themselves, and wait until the
// count is a multiple of their number. `counters`: rounds take turns with so many counters.
#pragma once

#include <simt/simt.hpp>

template <unsigned counters>
struct round_counters {
  static constexpr unsigned room = 4;
  simt::atomic<unsigned, simt::thread_scope_device> arrived[counters];
  unsigned round[room]{};

  SIMT_FN void arrive_and_wait() {
    const unsigned own = simt::thread_rank();
    const unsigned which = round[own] % counters;
    round[own] = round[own] + 1;
    arrived[which].fetch_add(1, simt::memory_order_acq_rel);
    while (arrived[which].load(simt::memory_order_acquire) % simt::grid_size() != 0) {
    }
  }
};
