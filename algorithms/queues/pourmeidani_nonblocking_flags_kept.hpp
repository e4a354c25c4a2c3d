// The non-blocking queue of Pourmeidani's thesis (section 3.2), its flags as listed: one of each
// kind for a work-item, set by its first operation and never reset. Its second operation of that
// kind leaves the loop after one attempt: a dequeue whose compare-exchange has failed returns a
// value that another dequeue took, an enqueue is lost.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_nonblocking_flags_kept : pourmeidani::nonblocking {
  int flag_r[pourmeidani::threads]{};
  int flag_f[pourmeidani::threads]{};

  SIMT_FN void enqueue(int value) {
    const unsigned idx = simt::thread_rank();
    do {
      int xp = q.load(simt::memory_order_relaxed);
      if (q.compare_exchange_strong(xp, xp + 1, simt::memory_order_relaxed)) {
        flag_r[idx] = 1;
        link(xp, value);
      }
    } while (flag_r[idx] != 1);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    const unsigned idx = simt::thread_rank();
    int pvalue = 0;
    bool error = false;
    do {
      pourmeidani::node* t = front.load(simt::memory_order_acquire);
      pourmeidani::node* const next = t->next.load(simt::memory_order_acquire);
      if (next == nullptr) {
        flag_f[idx] = 1;
        error = true;
      } else {
        pvalue = next->data;
        if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) flag_f[idx] = 1;
      }
    } while (flag_f[idx] != 1);
    if (error) return {};
    return pvalue;
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_flags_kept);
