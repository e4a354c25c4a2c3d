// The test-and-test-and-set lock as Grote prints it (listings 4.4, 4.5, 4.3): it spins on a load
// with `ld.global.cg`, which bypasses the first cache and is weak all the same.
#pragma once

#include <simt/simt.hpp>

struct ttas_printed {
  int mutex = 0;

  SIMT_FN void lock() {
    while (true) {
      while (mutex != 0) {
      }
      if (simt::atomicCAS(&mutex, 0, 1) == 0) {
        simt::__threadfence();
        return;
      }
    }
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(ttas_printed);
