// A sequence lock with one writer, who writes once (Boehm, Can seqlocks get along with programming
// language memory models?, MSPC 2012): readers take no lock, and read again if the number has
// changed. The data are relaxed, for they are read while they are written.
#pragma once

#include <simt/simt.hpp>

struct seqlock {
  simt::atomic<int, simt::thread_scope_device> sequence{0};  // odd: being written
  simt::atomic<int, simt::thread_scope_device> data[2]{0, 0};

  SIMT_FN void write() {
    sequence.store(1, simt::memory_order_relaxed);
    simt::atomic_thread_fence(simt::memory_order_release, simt::thread_scope_device);
    data[0].store(1, simt::memory_order_relaxed);
    data[1].store(1, simt::memory_order_relaxed);
    sequence.store(2, simt::memory_order_release);
  }

  SIMT_FN void read() {
    while (true) {
      const int before = sequence.load(simt::memory_order_acquire);
      const int first = data[0].load(simt::memory_order_relaxed);
      const int second = data[1].load(simt::memory_order_relaxed);
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
SIMT_SUBJECT(seqlock);
