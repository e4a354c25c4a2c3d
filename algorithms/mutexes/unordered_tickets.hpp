// The broken twin of `fetch_and_add` where order is concerned: it hands out tickets, and then lets
// in whoever is first to find the mutex free. It still excludes.
#pragma once

#include <simt/simt.hpp>

struct unordered_tickets {
  simt::atomic<unsigned, simt::thread_scope_device> ticket{0};
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN void lock() { wait_turn(doorway()); }

  SIMT_FN unsigned doorway() { return ticket.fetch_add(1, simt::memory_order_relaxed); }
  SIMT_FN void wait_turn(unsigned) {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }

  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(unordered_tickets);
