// As `he_yu`, repaired as Alglave et al. do it (ASPLOS 2015, figure 10): a fence at either end of
// the critical section, and an exchange that unlocks.
#pragma once

#include <simt/simt.hpp>

struct he_yu_fenced {
  int mutex = 0;

  template <class Section>
  SIMT_FN void locked(Section section) {
    bool leave_loop = false;
    while (!leave_loop) {
      const int lock_value = simt::atomicCAS(&mutex, 0, 1);
      if (lock_value == 0) {
        leave_loop = true;
        simt::__threadfence();
        section();
        simt::__threadfence();
        simt::atomicExch(&mutex, 0);
      }
    }
  }
};
SIMT_SUBJECT(he_yu_fenced);
