// A ticket lock that runs the critical section inside the loop and leaves by a done flag, so that
// lockstep lanes meet again after each look at `current` (a bool flag, `do` loop).
#pragma once

#include <simt/simt.hpp>

struct ticket_done_flag_do {
  simt::atomic<unsigned, simt::thread_scope_device> next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    bool done = false;
    do {
      if (current.load(simt::memory_order_acquire) == mine) {
        section();
        current.fetch_add(1, simt::memory_order_release);
        done = true;
      }
    } while (!done);
  }
};
SIMT_SUBJECT(ticket_done_flag_do);
