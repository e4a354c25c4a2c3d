// A test-and-set lock: Grote, listing 3.1 (and 4.2, 4.3).
#pragma once

#include <simt/simt.hpp>

struct tas {
  int mutex = 0;

  SIMT_FN void lock() {
    while (simt::atomicCAS(&mutex, 0, 1) != 0) {
    }
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(tas);
