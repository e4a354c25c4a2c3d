// The queue lock as Grote prints it (listings 4.9 to 4.11): the nodes are plain data, and only the
// spins are atomic. (Both functions of listing 4.11 are called `lock`; the inner one is `unlock`.)
#pragma once

#include <simt/simt.hpp>

struct mcs_printed {
  static constexpr int threads = 8;

  struct qnode {
    int waiting = 0;
    int next = 0;
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
      while (simt::atomicCAS(&nodes[slot].waiting, 0, 0) != 0) {
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
      while (simt::atomicCAS(&nodes[slot].next, 0, 0) == 0) {
      }
    }
    succ = nodes[slot].next;
    nodes[succ].waiting = 0;
  }
};
SIMT_SUBJECT(mcs_printed);
