// As tas_done_flag, but `break` leaves the loop after the critical section. The branch then
// reconverges behind the loop: the lane that has the lock waits there, before it releases it.
#pragma once

#include <simt/simt.hpp>

struct tas_break {
  int mutex = 0;

  template <class Section>
  SIMT_FN void locked(Section section) {
    while (true) {
      if (simt::atomicCAS(&mutex, 0, 1) == 0) {
        simt::__threadfence();
        section();
        simt::__threadfence();
        simt::atomicExch(&mutex, 0);
        break;
      }
    }
  }
};
SIMT_SUBJECT(tas_break);
