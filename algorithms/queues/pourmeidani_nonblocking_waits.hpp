// The non-blocking queue of Pourmeidani's thesis (section 3.2), the smallest change that makes it
// linearizable: a dequeue says "empty" only if no node behind Front is reserved, and waits for the
// link where one is. That is no longer non-blocking: it waits for the enqueue that reserved.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_waits : pourmeidani::nonblocking {
  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      pourmeidani::node* t = front.load(simt::memory_order_acquire);
      pourmeidani::node* const next = t->next.load(simt::memory_order_acquire);
      if (next == nullptr) {
        if (t == &nodes[q.load(simt::memory_order_acquire)]) return {};
        continue;
      }
      const int pvalue = next->data;
      if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) return pvalue;
    }
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_waits);
