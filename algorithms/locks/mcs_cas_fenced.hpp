// As `mcs_cas`, with the fences that the queue itself needs beside those of the critical section:
// on either side of the exchange, and before waking the next. Without any one of them a thread that
// sets up its node may undo what others then write there: `next`, or `waiting`. It waits for ever.
#pragma once

#include <simt/simt.hpp>

/// One lock, whose nodes may be those of other locks, too (grote_listings.hpp). `slot`: the node of
/// the calling thread.
struct mcs_cas_fenced_queue {
  struct qnode {
    volatile int waiting = 0;
    volatile int next = 0;
  };

  int tail = 0;
  int head = 0;

  /// Whom to wait for; 0: nobody.
  SIMT_FN int doorway(qnode* nodes, int slot) {
    nodes[slot].next = 0;
    nodes[slot].waiting = 1;
    simt::__threadfence();
    const int prev = simt::atomicExch(&tail, slot);
    simt::__threadfence();
    if (prev != 0) nodes[prev].next = slot;
    return prev;
  }
  SIMT_FN void wait_turn(qnode* nodes, int slot, int prev) {
    if (prev != 0) {
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].waiting), 0, 0) != 0) {
      }
    }
    simt::__threadfence();
    head = slot;
  }

  SIMT_FN void unlock(qnode* nodes) {
    const int slot = head;
    simt::__threadfence();
    int succ = nodes[slot].next;
    if (succ == 0) {
      if (simt::atomicCAS(&tail, slot, 0) == slot) return;
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].next), 0, 0) == 0) {
      }
    }
    succ = nodes[slot].next;
    simt::__threadfence();
    nodes[succ].waiting = 0;
  }
};

struct mcs_cas_fenced {
  static constexpr int threads = simt::sized(8, simt::measured_threads);

  mcs_cas_fenced_queue queue;
  mcs_cas_fenced_queue::qnode nodes[1 + threads];

  SIMT_FN static int slot() { return static_cast<int>(simt::thread_rank()) + 1; }

  SIMT_FN void lock() { wait_turn(doorway()); }
  SIMT_FN int doorway() { return queue.doorway(nodes, slot()); }
  SIMT_FN void wait_turn(int prev) { queue.wait_turn(nodes, slot(), prev); }
  SIMT_FN void unlock() { queue.unlock(nodes); }
};
SIMT_SUBJECT(mcs_cas_fenced);
