// The queue lock of Mellor-Crummey and Scott (1991, algorithm 5): each thread spins on its own
// node. Nodes are told by number: 0 is none, and thread i has node i + 1.
#pragma once

#include <simt/simt.hpp>

struct mcs {
  static constexpr int capacity = simt::sized(32, simt::measured_threads);  // threads

  struct node {
    simt::atomic<int, simt::thread_scope_device> next{0};
    simt::atomic<int, simt::thread_scope_device> locked{0};
  };

  simt::atomic<int, simt::thread_scope_device> tail{0};
  node nodes[capacity];

  SIMT_FN void lock() {
    const int me = static_cast<int>(simt::thread_rank()) + 1;
    nodes[me - 1].next.store(0, simt::memory_order_relaxed);
    const int before = tail.exchange(me, simt::memory_order_acq_rel);
    if (before == 0) return;
    nodes[me - 1].locked.store(1, simt::memory_order_relaxed);
    nodes[before - 1].next.store(me, simt::memory_order_release);
    while (nodes[me - 1].locked.load(simt::memory_order_acquire) != 0) {
    }
  }

  SIMT_FN void unlock() {
    const int me = static_cast<int>(simt::thread_rank()) + 1;
    int after = nodes[me - 1].next.load(simt::memory_order_acquire);
    if (after == 0) {
      int expected = me;
      if (tail.compare_exchange_strong(expected, 0, simt::memory_order_acq_rel,
                                       simt::memory_order_relaxed)) {
        return;
      }
      while ((after = nodes[me - 1].next.load(simt::memory_order_acquire)) == 0) {
      }
    }
    nodes[after - 1].locked.store(0, simt::memory_order_release);
  }
};
SIMT_SUBJECT(mcs);
