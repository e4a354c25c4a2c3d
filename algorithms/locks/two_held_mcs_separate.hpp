// As two_held_mcs, but one thread takes both locks and the others one of them: even then a waiter
// of one lock is let in by the other.
#pragma once

#include "grote_locks.hpp"

struct two_held_mcs_separate {
  grote::mcs_lock::shared shared;
  grote::mcs_lock a;
  grote::mcs_lock b;
  simt::atomic<int, simt::thread_scope_device> inside{0};

  SIMT_FN void operator()() {
    a.lock(shared);
    if (simt::thread_rank() == 0) {
      b.lock(shared);
      b.unlock(shared);
    }
    simt::check(inside.fetch_add(1, simt::memory_order_relaxed) == 0, "two threads hold lock a");
    inside.fetch_sub(1, simt::memory_order_relaxed);
    a.unlock(shared);
  }
};
SIMT_SUBJECT(two_held_mcs_separate);
