// A test-and-set lock that runs the critical section inside the loop and leaves by a done flag, so
// that lockstep lanes meet again after each attempt (an int flag, `while` loop).
#pragma once

#include <simt/simt.hpp>

struct tas_done_flag_int {
  int mutex = 0;

  template <class Section>
  SIMT_FN void locked(Section section) {
    int done = 0;
    while (done == 0) {
      if (simt::atomicCAS(&mutex, 0, 1) == 0) {
        simt::__threadfence();
        section();
        simt::__threadfence();
        simt::atomicExch(&mutex, 0);
        done = 1;
      }
    }
  }
};
SIMT_SUBJECT(tas_done_flag_int);
