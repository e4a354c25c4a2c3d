// As `spin_exchange`, with a fence at either end of the critical section.
#pragma once

#include <simt/simt.hpp>

struct spin_exchange_fenced {
  int mutex = 0;

  SIMT_FN void lock() {
    bool locked = false;
    while (!locked) {
      const int old_value = simt::atomicExch(&mutex, 1);
      if (old_value == 0) locked = true;
    }
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(spin_exchange_fenced);
