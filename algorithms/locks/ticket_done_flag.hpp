// A ticket lock that runs the critical section inside the loop and leaves by a done flag, so that
// lockstep lanes meet again after each look at `current` (a bool flag, `while` loop).
#pragma once

#include <simt/simt.hpp>

struct ticket_done_flag {
  simt::atomic<unsigned, simt::thread_scope_device> next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    bool done = false;
    while (!done) {
      if (current.load(simt::memory_order_acquire) == mine) {
        section();
        current.fetch_add(1, simt::memory_order_release);
        done = true;
      }
    }
  }
};
SIMT_SUBJECT(ticket_done_flag);
