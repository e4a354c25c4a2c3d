// As ticket_done_flag, but `break` leaves the loop after the critical section. The branch then
// reconverges behind the loop.
#pragma once

#include <simt/simt.hpp>

struct ticket_break {
  simt::atomic<unsigned, simt::thread_scope_device> next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  template <class Section>
  SIMT_FN void locked(Section section) {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    while (true) {
      if (current.load(simt::memory_order_acquire) == mine) {
        section();
        current.fetch_add(1, simt::memory_order_release);
        break;
      }
    }
  }
};
SIMT_SUBJECT(ticket_break);
