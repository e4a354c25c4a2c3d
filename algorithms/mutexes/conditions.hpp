// A condition variable of spinning threads: a number that each notification raises. A thread waits
// until it is no longer the number that it has seen while it had the lock. (Stuart and Owens, 2011,
// section 7, leave condition variables to future work.)
//
// A producer and a consumer hand values over through one place.
#pragma once

#include <simt/simt.hpp>

struct spinning_lock {
  simt::atomic<int, simt::thread_scope_device> held{0};

  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};

/// `is_seen_locked`: the number is read before the lock is released.
template <bool is_seen_locked>
struct condition {
  simt::atomic<int, simt::thread_scope_device> notified{0};

  SIMT_FN void notify_all() { notified.fetch_add(1, simt::memory_order_relaxed); }
  SIMT_FN void wait(spinning_lock& guard) {
    int seen = 0;
    if (is_seen_locked) seen = notified.load(simt::memory_order_relaxed);
    guard.unlock();
    if (!is_seen_locked) seen = notified.load(simt::memory_order_relaxed);
    while (notified.load(simt::memory_order_relaxed) == seen) {
    }
    guard.lock();
  }
};

/// Of two threads: the first one hands the values 1 and 2 to the second one.
template <bool is_seen_locked>
struct handing_over {
  static constexpr int values = 2;

  spinning_lock guard;
  condition<is_seen_locked> changed;
  int place{0};  // 0: empty
  int sum{0};

  SIMT_FN void operator()() {
    const bool is_producer = simt::thread_rank() == 0;
    for (int value = 1; value <= values; ++value) {
      guard.lock();
      while ((place == 0) != is_producer) changed.wait(guard);
      if (!is_producer) sum += place;
      place = is_producer ? value : 0;
      guard.unlock();
      changed.notify_all();
    }
  }

  const char* check() const {
    return sum == 1 + 2 && place == 0 ? nullptr : "the consumer did not get both values";
  }
};
