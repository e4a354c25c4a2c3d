// As `seqlock`, with nothing but relaxed accesses.
#pragma once

#include <simt/simt.hpp>

struct seqlock_relaxed {
  simt::atomic<int, simt::thread_scope_device> sequence{0};  // odd: being written
  simt::atomic<int, simt::thread_scope_device> data[2]{0, 0};

  SIMT_FN void write() {
    sequence.store(1, simt::memory_order_relaxed);
    data[0].store(1, simt::memory_order_relaxed);
    data[1].store(1, simt::memory_order_relaxed);
    sequence.store(2, simt::memory_order_relaxed);
  }

  SIMT_FN void read() {
    while (true) {
      const int before = sequence.load(simt::memory_order_relaxed);
      const int first = data[0].load(simt::memory_order_relaxed);
      const int second = data[1].load(simt::memory_order_relaxed);
      const int after = sequence.load(simt::memory_order_relaxed);
      if (before == after && before % 2 == 0) {
        simt::check(first == second, "half of a write was read");
        return;
      }
    }
  }

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      write();
    } else {
      read();
    }
  }
};
SIMT_SUBJECT(seqlock_relaxed);
