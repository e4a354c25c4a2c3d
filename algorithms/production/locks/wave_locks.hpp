// A lock of compare-and-swap for the lanes of a wavefront.
#pragma once

#include <simt/simt.hpp>

/// Each lane takes the lock for itself.
struct lane_takes_it {
  simt::atomic<int, simt::thread_scope_device> held{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    int expected = 0;
    while (!held.compare_exchange_strong(expected, 1, simt::memory_order_acquire)) expected = 0;
    section();
    held.store(0, simt::memory_order_release);
  }
};

/// The first of the lanes that are here takes it for all of them.
struct wave_takes_it {
  simt::atomic<int, simt::thread_scope_device> held{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    const bool leads = static_cast<int>(simt::lane_index()) == simt::ffs(simt::activemask()) - 1;
    if (leads) {
      int expected = 0;
      while (!held.compare_exchange_strong(expected, 1, simt::memory_order_acquire)) expected = 0;
    }
    section();
    if (leads) held.store(0, simt::memory_order_release);
  }
};

/// Each lane takes it for itself, and enters and leaves within one round of the loop.
struct lane_in_a_round {
  simt::atomic<int, simt::thread_scope_device> held{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    bool done = false;
    while (!done) {
      int expected = 0;
      if (held.compare_exchange_strong(expected, 1, simt::memory_order_acquire)) {
        section();
        held.store(0, simt::memory_order_release);
        done = true;
      }
    }
  }
};
