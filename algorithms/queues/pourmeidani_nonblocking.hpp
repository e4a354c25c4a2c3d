// The non-blocking queue of Pourmeidani's thesis (section 3.2), word for word but for `t = Front`
// in place of `t = &Front`, flags that are false at the start of each operation, and atomics for
// what is shared. `Dequeue` reads Front once for the comparison with NULL and once more for the
// value: if another dequeue has taken the last node in between, `Front->next->data` is an access
// through NULL.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking : pourmeidani::nonblocking {
  SIMT_FN simt::maybe<int> dequeue() {
    int pvalue = 0;
    bool flag_f = false;
    bool error = false;
    do {
      pourmeidani::node* t = read_front();
      if (next_of(read_front()) == nullptr) {
        flag_f = true;
        error = true;
      } else {
        pvalue = next_of(read_front())->data;
        if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) flag_f = true;
      }
    } while (!flag_f);
    if (error) return {};
    return pvalue;
  }

 private:
  SIMT_FN pourmeidani::node* read_front() { return front.load(simt::memory_order_acquire); }
  SIMT_FN static pourmeidani::node* next_of(pourmeidani::node* n) {
    return n->next.load(simt::memory_order_acquire);
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking);
