// Where `Rear` is when all is done, in the non-blocking queue of Pourmeidani's thesis
// (section 3.2): each lane enqueues once. `Rear = &Q[q]` reads `q` again, so it may name a node
// that is not linked yet; and a store that comes late sets it back, for good. (Nothing in the
// listings reads it.)
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_rear : pourmeidani::nonblocking {
  simt::atomic<int, simt::thread_scope_device> done{0};
  int rear_at_end{-1};
  int q_at_end{-1};

  SIMT_FN void operator()() {
    enqueue(static_cast<int>(simt::thread_rank()) + 1);
    if (done.fetch_add(1, simt::memory_order_acq_rel) + 1 != static_cast<int>(simt::grid_size()))
      return;
    rear_at_end = static_cast<int>(rear.load(simt::memory_order_relaxed) - &nodes[0]);
    q_at_end = q.load(simt::memory_order_relaxed);
  }

  SIMT_HOST_FN const char* check() const {
    return rear_at_end == q_at_end ? nullptr : "Rear is not the last node";
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_rear);
