// A spin mutex that turns to backoff: the first attempts follow each other at once, between later
// ones the thread sleeps (Stuart and Owens, arXiv 1110.4623, section 5, in a sentence).
#pragma once

#include <simt/simt.hpp>

struct spin_then_backoff {
  static constexpr int spins = simt::sized(2, 64);

  int mutex = 0;

  SIMT_FN void lock() {
    int attempts = 0;
    while (simt::atomicExch(&mutex, 1) != 0) {
      if (attempts < spins) {
        ++attempts;
      } else {
        simt::nanosleep(256);
      }
    }
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(spin_then_backoff);
