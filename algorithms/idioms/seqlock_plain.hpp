// As `seqlock`, with plain data. They are read while they are written, which is a race, whatever is
// then done with them.
#pragma once

#include <simt/simt.hpp>

struct seqlock_plain {
  simt::atomic<int, simt::thread_scope_device> sequence{0};  // odd: being written
  int data[2]{0, 0};

  SIMT_FN void write() {
    sequence.store(1, simt::memory_order_relaxed);
    simt::atomic_thread_fence(simt::memory_order_release, simt::thread_scope_device);
    data[0] = 1;
    data[1] = 1;
    sequence.store(2, simt::memory_order_release);
  }

  SIMT_FN void read() {
    while (true) {
      const int before = sequence.load(simt::memory_order_acquire);
      const int first = data[0];
      const int second = data[1];
      simt::atomic_thread_fence(simt::memory_order_acquire, simt::thread_scope_device);
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
SIMT_SUBJECT(seqlock_plain);
