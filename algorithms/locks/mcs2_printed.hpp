// Grote's queue lock with two nodes for each thread (section 4.2.2 has no listing: listings 4.10
// and 4.11 with the node that the text chooses), the nodes being plain data as in `mcs_printed`.
#pragma once

#include <simt/simt.hpp>

struct mcs2_printed {
  static constexpr int threads = 8;

  struct qnode {
    int waiting = 0;
    int next = 0;
    int active = 0;
  };

  int tail = 0;
  int head = 0;
  qnode nodes[1 + 2 * threads];

  SIMT_FN void lock() {
    int pos = 2 * static_cast<int>(simt::thread_rank()) + 1;
    if (nodes[pos].active != 0) ++pos;
    nodes[pos].next = 0;
    nodes[pos].waiting = 1;
    nodes[pos].active = 1;
    const int prev = simt::atomicExch(&tail, pos);
    if (prev != 0) {
      nodes[prev].next = pos;
      while (simt::atomicCAS(&nodes[pos].waiting, 0, 0) != 0) {
      }
    }
    simt::__threadfence();
    head = pos;
  }

  SIMT_FN void unlock() {
    const int pos = head;
    simt::__threadfence();
    int succ = nodes[pos].next;
    if (succ == 0) {
      if (simt::atomicCAS(&tail, pos, 0) == pos) {
        nodes[pos].active = 0;
        return;
      }
      while (simt::atomicCAS(&nodes[pos].next, 0, 0) == 0) {
      }
    }
    succ = nodes[pos].next;
    nodes[succ].waiting = 0;
    nodes[pos].active = 0;
  }
};
SIMT_SUBJECT(mcs2_printed);
