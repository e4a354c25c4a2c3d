// A ticket lock (Mellor-Crummy & Scott 1991; Grote, section 4.1.3) with the naive waiting loop.
#pragma once

#include <simt/simt.hpp>

struct ticket {
  simt::atomic<unsigned, simt::thread_scope_device> next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  SIMT_FN void lock() {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    while (current.load(simt::memory_order_acquire) != mine) {
    }
  }

  SIMT_FN void unlock() { current.fetch_add(1, simt::memory_order_release); }
};
SIMT_SUBJECT(ticket);
