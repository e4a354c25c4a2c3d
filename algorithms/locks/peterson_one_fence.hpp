// As `peterson`, with the fence between the stores and the loads only, as one sees it on CPUs that
// keep stores in order. Here the two stores may change places.
#pragma once

#include <simt/simt.hpp>

struct peterson_one_fence {
  simt::atomic<int, simt::thread_scope_device> wants[2]{0, 0};
  simt::atomic<unsigned, simt::thread_scope_device> last{0};  // it waits

  SIMT_FN void lock() {
    const unsigned me = simt::thread_rank();
    const unsigned other = 1 - me;
    wants[me].store(1, simt::memory_order_relaxed);
    last.store(me, simt::memory_order_relaxed);
    simt::atomic_thread_fence(simt::memory_order_seq_cst, simt::thread_scope_device);
    while (wants[other].load(simt::memory_order_acquire) != 0 &&
           last.load(simt::memory_order_acquire) == me) {
    }
  }

  SIMT_FN void unlock() { wants[simt::thread_rank()].store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(peterson_one_fence);
