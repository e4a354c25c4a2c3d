// The blocking queue of Pourmeidani's thesis (section 3.1) with `q` as the listing declares it: a
// parameter, so each work-item has its own, and `q = q+1` is seen by nobody else. All of them put
// their first value into the same node.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking_own_q : pourmeidani::blocking {
  SIMT_FN void enqueue(int value) {
    int own_q = 1;  // as the host has set it for `Enqueue`
    bool flag_r = false;
    do {
      if (lock_r.acquire()) {
        nodes[own_q].data = value;
        rear->next.store(&nodes[own_q], simt::memory_order_release);
        rear = &nodes[own_q];
        flag_r = true;
        own_q = own_q + 1;
        lock_r.release();
      }
    } while (!flag_r);
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
SIMT_SUBJECT(pourmeidani_blocking_own_q);
