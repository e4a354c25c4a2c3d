// As `spin`, with the unlock of algorithm 2 to the letter: a plain assignment.
#pragma once

#include <simt/simt.hpp>

struct spin_printed {
  int mutex = 0;

  SIMT_FN void lock() {
    bool acquired = false;
    while (!acquired) {
      if (simt::atomicExch(&mutex, 1) == 0) acquired = true;
    }
  }

  SIMT_FN void unlock() { mutex = 0; }
};
SIMT_SUBJECT(spin_printed);
