// As `he_yu`, unlocked by a volatile store, so that nothing races for the lock itself. The fence
// still comes too late: the store may overtake what is read under the lock, and so a critical
// section may read what the next one writes (Alglave et al., ASPLOS 2015, `sl-future`).
#pragma once

#include <simt/simt.hpp>

struct he_yu_volatile {
  int mutex = 0;

  template <class Section>
  SIMT_FN void locked(Section section) {
    bool leave_loop = false;
    while (!leave_loop) {
      const int lock_value = simt::atomicCAS(&mutex, 0, 1);
      if (lock_value == 0) {
        leave_loop = true;
        section();
        static_cast<volatile int&>(mutex) = 0;
      }
      simt::__threadfence();
    }
  }
};
SIMT_SUBJECT(he_yu_volatile);
