// The blocking queue of Pourmeidani's thesis (section 3.1), its flags as listed: one of each kind
// for a work-item, set by its first operation and never reset. Its second operation of that kind
// leaves the loop after one attempt, whether it got the lock or not: an enqueue may do nothing, a
// dequeue may return what it did not take (here 0).
#pragma once

#include "pourmeidani.hpp"

struct pourmeidani_blocking_flags_kept : pourmeidani::blocking {
  int flag_r[pourmeidani::threads]{};
  int flag_f[pourmeidani::threads]{};

  SIMT_FN void enqueue(int value) {
    const unsigned idx = simt::thread_rank();
    do {
      if (lock_r.acquire()) {
        append(value);
        flag_r[idx] = 1;
        lock_r.release();
      }
    } while (flag_r[idx] != 1);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    const unsigned idx = simt::thread_rank();
    int pvalue = 0;
    bool error = false;
    do {
      if (lock_f.acquire()) {
        error = !take_first(pvalue);
        flag_f[idx] = 1;
        lock_f.release();
      }
    } while (flag_f[idx] != 1);
    if (error) return {};
    return pvalue;
  }
};
SIMT_SUBJECT(pourmeidani_blocking_flags_kept);
