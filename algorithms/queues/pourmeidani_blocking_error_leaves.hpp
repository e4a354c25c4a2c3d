// The blocking queue of Pourmeidani's thesis (section 3.1), the reading in which `error` leaves the
// kernel: the work-item that finds the queue empty keeps LockF for ever, and nobody can dequeue any
// more.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking_error_leaves : pourmeidani::blocking {
  SIMT_FN simt::maybe<int> dequeue() {
    int pvalue = 0;
    bool flag_f = false;
    do {
      if (lock_f.acquire()) {
        if (!take_first(pvalue)) return {};  // error, before Release
        flag_f = true;
        lock_f.release();
      }
    } while (!flag_f);
    return pvalue;
  }
};
SIMT_SUBJECT(pourmeidani_blocking_error_leaves);
