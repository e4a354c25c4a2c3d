// A spin lock, as one writes it on a CPU. `section` is what the lock protects.
#pragma once

#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
    section();
    held.store(0, simt::memory_order_release);
  }
};
