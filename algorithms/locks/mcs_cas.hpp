// As mcs_printed, with strong accesses to what other threads access; it still spins by `atomicCAS`.
#pragma once

#include <simt/simt.hpp>

struct mcs_cas {
  static constexpr int threads = simt::sized(8, simt::measured_threads);

  struct qnode {
    volatile int waiting = 0;
    volatile int next = 0;
  };

  int tail = 0;
  int head = 0;
  qnode nodes[1 + threads];

  SIMT_FN void lock() { wait_turn(doorway()); }

  /// Whom to wait for; 0: nobody.
  SIMT_FN int doorway() {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    nodes[slot].next = 0;
    nodes[slot].waiting = 1;
    const int prev = simt::atomicExch(&tail, slot);
    if (prev != 0) nodes[prev].next = slot;
    return prev;
  }
  SIMT_FN void wait_turn(int prev) {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    if (prev != 0) {
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].waiting), 0, 0) != 0) {
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
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].next), 0, 0) == 0) {
      }
    }
    succ = nodes[slot].next;
    nodes[succ].waiting = 0;
  }
};
SIMT_SUBJECT(mcs_cas);
