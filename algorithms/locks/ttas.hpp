// A test-and-test-and-set lock: Grote, listings 4.4 and 4.3. It spins on a load and tries the
// compare-and-swap only when the lock looks free. The load is volatile; the listing's `ld.cg` is a
// weak load, on which no lane may spin.
#pragma once

#include <simt/simt.hpp>

struct ttas {
  int mutex = 0;

  SIMT_FN void lock() {
    while (true) {
      while (*static_cast<volatile int*>(&mutex) != 0) {
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
SIMT_SUBJECT(ttas);
