// The lock is opened within the loop, before the lane can be parked behind it.
#pragma once

#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

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
