// As `dekker`, without the fence. Releases and acquires do not order a store with a later load, so
// both threads may miss the other's flag.
#pragma once

#include <simt/simt.hpp>

struct dekker_no_fence {
  simt::atomic<int, simt::thread_scope_device> wants[2]{0, 0};
  simt::atomic<unsigned, simt::thread_scope_device> turn{0};

  SIMT_FN void lock() {
    const unsigned me = simt::thread_rank();
    const unsigned other = 1 - me;
    raise(me);
    while (wants[other].load(simt::memory_order_acquire) != 0) {
      if (turn.load(simt::memory_order_relaxed) == other) {
        wants[me].store(0, simt::memory_order_release);
        while (turn.load(simt::memory_order_relaxed) == other) {
        }
        raise(me);
      }
    }
  }

  SIMT_FN void unlock() {
    const unsigned me = simt::thread_rank();
    turn.store(1 - me, simt::memory_order_relaxed);
    wants[me].store(0, simt::memory_order_release);
  }

 private:
  SIMT_FN void raise(unsigned me) { wants[me].store(1, simt::memory_order_release); }
};
SIMT_SUBJECT(dekker_no_fence);
