// `pourmeidani_nonblocking_front_once` in memory that was used before: the listing of `Initialize`
// sets the link of the first node only, so the other links are what was left there. Here they are
// what an earlier run of the queue leaves, a link from each node to the next one.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_links_left : pourmeidani::nonblocking {
  SIMT_FN void init() {
    for (int i = 1; i + 1 < pourmeidani::capacity; ++i) {
      nodes[i].next.store(&nodes[i + 1], simt::memory_order_relaxed);
    }
    nonblocking::init();
  }
  SIMT_FN simt::maybe<int> dequeue() { return dequeue_from_front(); }
};
SIMT_SUBJECT(pourmeidani_nonblocking_links_left);
