// The spin lock of He and Yu, High-throughput transaction executions on graphics processors (PVLDB
// 4(5), 2011), as Alglave et al. print it (ASPLOS 2015, figure 10): unlocked by a plain store, and
// with its one fence behind that.
#pragma once

#include <simt/simt.hpp>

struct he_yu {
  int mutex = 0;

  template <class Section>
  SIMT_FN void locked(Section section) {
    bool leave_loop = false;
    while (!leave_loop) {
      const int lock_value = simt::atomicCAS(&mutex, 0, 1);
      if (lock_value == 0) {
        leave_loop = true;
        section();
        mutex = 0;
      }
      simt::__threadfence();
    }
  }
};
SIMT_SUBJECT(he_yu);
