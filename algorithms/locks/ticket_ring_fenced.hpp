// As `ticket_ring`, with fences around the taking of a ticket. So who takes a ticket that has been
// used before knows that it has been served before, and does not take that for its own turn.
// (Where a fence is for both directions, as in PTX, the second one would do: that of the round
// before has told of the turns until then.)
#pragma once

#include <simt/simt.hpp>

struct ticket_ring_fenced {
  static constexpr unsigned tickets = 3;

  unsigned next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  SIMT_FN void lock() {
    simt::atomic_thread_fence(simt::memory_order_release, simt::thread_scope_device);
    const unsigned mine = simt::atomicInc(&next, tickets - 1);
    simt::atomic_thread_fence(simt::memory_order_acquire, simt::thread_scope_device);
    while (current.load(simt::memory_order_acquire) != mine) {
    }
  }

  SIMT_FN void unlock() {
    const unsigned mine = current.load(simt::memory_order_relaxed);
    current.store((mine + 1) % tickets, simt::memory_order_release);
  }
};
SIMT_SUBJECT(ticket_ring_fenced);
