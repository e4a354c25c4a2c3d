// A test-and-test-and-set lock that a plain assignment releases (Cederman's thesis, 2011, figure
// 1.7).
#pragma once

#include <simt/simt.hpp>

struct ttas_plain_release {
  int mutex = 0;

  SIMT_FN void lock() {
    while (true) {
      while (*static_cast<volatile int*>(&mutex) != 0) {
      }
      if (simt::atomicExch(&mutex, 1) == 0) return;
    }
  }

  SIMT_FN void unlock() { mutex = 0; }
};
SIMT_SUBJECT(ttas_plain_release);
