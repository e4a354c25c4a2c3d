// As mcs_cas, but the two spins are on weak loads, and nothing else is weak: what Grote tried, and
// what got stuck (section 5.2.1.5).
#pragma once

#include <simt/simt.hpp>

struct mcs_weak_spin {
  static constexpr int threads = 8;

  struct qnode {
    int waiting = 0;
    int next = 0;
  };

  int tail = 0;
  int head = 0;
  qnode nodes[1 + threads];

  SIMT_FN static volatile int& strong(int& word) { return word; }

  SIMT_FN void lock() {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    strong(nodes[slot].next) = 0;
    strong(nodes[slot].waiting) = 1;
    const int prev = simt::atomicExch(&tail, slot);
    if (prev != 0) {
      strong(nodes[prev].next) = slot;
      while (nodes[slot].waiting != 0) {
      }
    }
    simt::__threadfence();
    head = slot;
  }

  SIMT_FN void unlock() {
    const int slot = head;
    simt::__threadfence();
    int succ = strong(nodes[slot].next);
    if (succ == 0) {
      if (simt::atomicCAS(&tail, slot, 0) == slot) return;
      while (nodes[slot].next == 0) {
      }
    }
    succ = strong(nodes[slot].next);
    strong(nodes[succ].waiting) = 0;
  }
};
SIMT_SUBJECT(mcs_weak_spin);
