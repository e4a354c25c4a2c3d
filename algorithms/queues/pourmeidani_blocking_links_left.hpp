// `pourmeidani_blocking` in memory that was used before: the listing of `Initialize` sets the link
// of the first node only, so the other links are what was left there. Here they are what an earlier
// run of the queue leaves, a link from each node to the next one.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking_links_left : pourmeidani::blocking {
  SIMT_FN void init() {
    for (int i = 1; i + 1 < pourmeidani::capacity; ++i) {
      nodes[i].next.store(&nodes[i + 1], simt::memory_order_relaxed);
    }
    blocking::init();
  }
  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> taken;
    bool flag_f = false;
    do {
      if (lock_f.acquire()) {
        int pvalue = 0;
        if (take_first(pvalue)) taken = pvalue;
        flag_f = true;
        lock_f.release();
      }
    } while (!flag_f);
    return taken;
  }
};
SIMT_SUBJECT(pourmeidani_blocking_links_left);
