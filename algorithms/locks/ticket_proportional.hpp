// A ticket lock with proportional backoff (Mellor-Crummey & Scott 1991, algorithm 2): a thread that
// waits sleeps the longer, the more others are before it.
#pragma once

#include <simt/simt.hpp>

struct ticket_proportional {
  /// Nanoseconds for each thread before: a good part of what a lock's hand-over takes.
  static constexpr unsigned unit = simt::sized(1, 256);

  simt::atomic<unsigned, simt::thread_scope_device> next{0};
  simt::atomic<unsigned, simt::thread_scope_device> current{0};

  SIMT_FN void lock() {
    const unsigned mine = next.fetch_add(1, simt::memory_order_relaxed);
    while (true) {
      const unsigned before = mine - current.load(simt::memory_order_acquire);
      if (before == 0) return;
      simt::nanosleep(before * unit);
    }
  }

  SIMT_FN void unlock() { current.fetch_add(1, simt::memory_order_release); }
};
SIMT_SUBJECT(ticket_proportional);
