// A test-and-set lock with exponential backoff: who does not get it waits twice as long before each
// further attempt, up to a limit (Cederman's thesis, 2011, section 1.1.5).
#pragma once

#include <simt/simt.hpp>

struct tas_exponential {
  static constexpr unsigned longest = simt::sized(4, 1024);  // in units of 32 ns

  int mutex = 0;

  SIMT_FN void lock() {
    unsigned wait = 1;
    while (simt::atomicExch(&mutex, 1) != 0) {
      simt::nanosleep(32 * wait);
      if (wait < longest) wait *= 2;
    }
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(tas_exponential);
