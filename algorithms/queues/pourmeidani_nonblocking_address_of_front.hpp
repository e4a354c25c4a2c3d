// The non-blocking queue of Pourmeidani's thesis (section 3.2) with `t = &Front` to the letter: `t`
// is where Front is, and never what it holds. So the compare-exchange always fails, and a dequeue
// from a queue that is not empty never ends.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_address_of_front : pourmeidani::nonblocking {
  SIMT_FN simt::maybe<int> dequeue() {
    int pvalue = 0;
    bool flag_f = false;
    do {
      auto* t = reinterpret_cast<pourmeidani::node*>(&front);
      auto* const first = front.load(simt::memory_order_acquire);
      auto* const next = first->next.load(simt::memory_order_acquire);
      if (next == nullptr) return {};
      pvalue = next->data;
      if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) flag_f = true;
    } while (!flag_f);
    return pvalue;
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_address_of_front);
