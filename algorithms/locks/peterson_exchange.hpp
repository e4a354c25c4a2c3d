// As `peterson`, with an exchange of `last` in place of its store and of the fences: of two
// exchanges one reads from the other, and so has its thread's flag, too.
#pragma once

#include <simt/simt.hpp>

struct peterson_exchange {
  simt::atomic<int, simt::thread_scope_device> wants[2]{0, 0};
  simt::atomic<unsigned, simt::thread_scope_device> last{0};  // it waits

  SIMT_FN void lock() {
    const unsigned me = simt::thread_rank();
    const unsigned other = 1 - me;
    wants[me].store(1, simt::memory_order_relaxed);
    last.exchange(me, simt::memory_order_acq_rel);
    while (wants[other].load(simt::memory_order_acquire) != 0 &&
           last.load(simt::memory_order_acquire) == me) {
    }
  }

  SIMT_FN void unlock() { wants[simt::thread_rank()].store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(peterson_exchange);
