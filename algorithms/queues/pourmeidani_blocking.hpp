// The blocking queue of Pourmeidani's thesis (section 3.1), as it must be meant: `error` falls
// through, so that LockF is released, flags are false at the start of each operation, and `next`,
// which is written under LockR and read under LockF, is atomic.
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking : pourmeidani::blocking {
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
SIMT_SUBJECT(pourmeidani_blocking);
