// As `peterson`, with releases and acquires in place of the fences. They do not order a store with
// a later load.
#pragma once

#include <simt/simt.hpp>

struct peterson_no_fence {
  simt::atomic<int, simt::thread_scope_device> wants[2]{0, 0};
  simt::atomic<unsigned, simt::thread_scope_device> last{0};  // it waits

  SIMT_FN void lock() {
    const unsigned me = simt::thread_rank();
    const unsigned other = 1 - me;
    wants[me].store(1, simt::memory_order_release);
    last.store(me, simt::memory_order_release);
    while (wants[other].load(simt::memory_order_acquire) != 0 &&
           last.load(simt::memory_order_acquire) == me) {
    }
  }

  SIMT_FN void unlock() { wants[simt::thread_rank()].store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(peterson_no_fence);
