// The spin lock of Stuart and Owens (2011), algorithm 1: exchanges alone, "instead of a volatile
// store and threadfence()". Without a fence nothing orders the critical section with it: Alglave et
// al. (ASPLOS 2015, section 3.2.2) saw GPUs read stale values under it.
#pragma once

#include <simt/simt.hpp>

struct spin_exchange {
  int mutex = 0;

  SIMT_FN void lock() {
    bool locked = false;
    while (!locked) {
      const int old_value = simt::atomicExch(&mutex, 1);
      if (old_value == 0) locked = true;
    }
  }

  SIMT_FN void unlock() { simt::atomicExch(&mutex, 0); }
};
SIMT_SUBJECT(spin_exchange);
