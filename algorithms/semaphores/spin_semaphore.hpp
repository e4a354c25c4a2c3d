// The spin semaphore of Stuart and Owens (2011), algorithm 4. The word is one more than the permits
// that are left, or 0 while somebody has it in hand. `acquire` and `release` are their wait() and
// post(). Section 5 says that backoff is in wait() alone, algorithm 4 prints it in both: a
// parameter for each. The listing has no fences: `taking` and `giving` are what the exchanges that
// find, and that put back, order instead.
#pragma once

#include <simt/simt.hpp>

#include "../mutexes/backoff.hpp"

enum class on_failure { retry, back_off };

template <int initial, on_failure waiting, on_failure posting = on_failure::retry,
          simt::memory_order taking = simt::memory_order_acquire,
          simt::memory_order giving = simt::memory_order_release>
struct spin_semaphore {
  static constexpr int permits = initial;

  simt::atomic<int, simt::thread_scope_device> word{initial + 1};

  SIMT_FN void acquire() {
    auto backoff = linear_backoff::begin();
    bool acquired = false;
    while (!acquired) {
      const int old_value = word.exchange(0, taking);
      if (old_value > 1) {
        word.exchange(old_value - 1, giving);
        acquired = true;
      } else if (old_value == 1) {
        word.exchange(1, giving);
      }
      if constexpr (waiting == on_failure::back_off) {
        if (!acquired) backoff.sleep();
      }
    }
  }

  SIMT_FN void release() {
    auto backoff = linear_backoff::begin();
    bool released = false;
    while (!released) {
      const int old_value = word.exchange(0, taking);
      if (old_value > 0) {
        word.exchange(old_value + 1, giving);
        released = true;
      }
      if constexpr (posting == on_failure::back_off) {
        if (!released) backoff.sleep();
      }
    }
  }
};
