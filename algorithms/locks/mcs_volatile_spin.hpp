// As mcs_weak_spin, but the two spins are on volatile loads: the smallest change that mends it.
#pragma once

#include <simt/simt.hpp>

struct mcs_volatile_spin {
  static constexpr int threads = 8;

  struct qnode {
    volatile int waiting = 0;
    volatile int next = 0;
  };

  int tail = 0;
  int head = 0;
  qnode nodes[1 + threads];

  SIMT_FN void lock() {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    nodes[slot].next = 0;
    nodes[slot].waiting = 1;
    const int prev = simt::atomicExch(&tail, slot);
    if (prev != 0) {
      nodes[prev].next = slot;
      while (nodes[slot].waiting != 0) {
      }
    }
    simt::__threadfence();
    head = slot;
  }

  SIMT_FN void unlock() {
    const int slot = head;
    simt::__threadfence();
    int succ = nodes[slot].next;
    if (succ == 0) {
      if (simt::atomicCAS(&tail, slot, 0) == slot) return;
      while (nodes[slot].next == 0) {
      }
    }
    succ = nodes[slot].next;
    nodes[succ].waiting = 0;
  }
};
SIMT_SUBJECT(mcs_volatile_spin);
