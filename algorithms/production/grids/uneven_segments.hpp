// Each block goes through the steps of its segment, and all blocks meet after each step. `common`:
// blocks with a short segment meet the others as often as the longest one asks for.
#pragma once

#include <simt/simt.hpp>

template <bool common>
struct uneven_segments {
  static constexpr unsigned most = 3;
  simt::atomic<unsigned, simt::thread_scope_device> arrived[most];

  SIMT_FN void grid_sync(unsigned step) {
    arrived[step].fetch_add(1, simt::memory_order_acq_rel);
    while (arrived[step].load(simt::memory_order_acquire) != simt::block_count()) {
    }
  }

  SIMT_FN void operator()() {
    const unsigned own = simt::min(simt::block_index() + 1, most);
    const unsigned longest = simt::min(simt::block_count(), most);
    const unsigned steps = common ? longest : own;
    for (unsigned step = 0; step < steps; ++step) grid_sync(step);
  }
};
