// A test-and-set lock that lanes of one warp can take, also where they reconverge as before Volta.
#pragma once

#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

  // The section is inside the loop, so that whoever holds the lock is never parked behind it.
  template <class Section>
  SIMT_FN void locked(Section section) {
    bool done = false;
    while (!done) {
      if (held.exchange(1, simt::memory_order_acquire) == 0) {
        section();
        held.store(0, simt::memory_order_release);
        done = true;
      }
    }
  }
};
SIMT_SUBJECT(spin_lock);
