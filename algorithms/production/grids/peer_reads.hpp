// A cluster of two blocks, by hand: each has memory that the other one reads, and that is there
// only while its block is. `leaves_together`: the blocks meet once more before they leave.
#pragma once

#include <simt/simt.hpp>

template <bool leaves_together>
struct peer_reads {
  static constexpr unsigned size = 2;
  int memory[size]{};
  simt::atomic<int, simt::thread_scope_device> gone[size];
  simt::atomic<unsigned, simt::thread_scope_device> arrived[2];

  SIMT_FN void cluster_sync(unsigned which) {
    arrived[which].fetch_add(1, simt::memory_order_acq_rel);
    while (arrived[which].load(simt::memory_order_acquire) != size) {
    }
  }

  SIMT_FN void operator()() {
    const unsigned own = simt::block_index();
    const unsigned peer = size - 1 - own;
    memory[own] = static_cast<int>(own) + 1;
    cluster_sync(0);
    simt::check(memory[peer] == static_cast<int>(peer) + 1, "not what the peer has stored");
    simt::check(gone[peer].load(simt::memory_order_relaxed) == 0, "the peer has left");
    if constexpr (leaves_together) cluster_sync(1);
    gone[own].store(1, simt::memory_order_relaxed);
  }
};
