// A ticket lock (Mellor-Crummey & Scott 1991) with few tickets, which are used again: so clients
// that never end come back to where they were. There must be at least as many as threads.
#pragma once

#include <simt/simt.hpp>

struct ticket_ring {
  static constexpr unsigned tickets = 3;

  unsigned next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  SIMT_FN void lock() {
    const unsigned mine = simt::atomicInc(&next, tickets - 1);
    while (current.load(simt::memory_order_acquire) != mine) {
    }
  }

  SIMT_FN void unlock() {
    const unsigned mine = current.load(simt::memory_order_relaxed);
    current.store((mine + 1) % tickets, simt::memory_order_release);
  }
};
SIMT_SUBJECT(ticket_ring);
