// The non-blocking queue of Pourmeidani's thesis (section 3.2) with `q` as it was before: its
// `Initialize` does not set it. The scenario says what it holds (`[arrays] q`). Only 0 is right;
// the 1 that the blocking queue's `Initialize` leaves makes the first enqueue link the third node
// to the second, and no dequeue ever comes there.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_uninitialized_q : pourmeidani::nonblocking {
  simt::device_array<int> before{"q"};

  SIMT_FN void init() {
    nonblocking::init();
    q.store(before[0], simt::memory_order_relaxed);
  }

  SIMT_FN simt::maybe<int> dequeue() { return dequeue_from_front(); }
};
SIMT_SUBJECT(pourmeidani_nonblocking_uninitialized_q);
