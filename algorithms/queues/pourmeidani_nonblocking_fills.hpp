// A correct form of the non-blocking queue of Pourmeidani's thesis (section 3.2), still an array
// that is used once and one place after the other: an enqueue takes the next place by putting its
// value there, in one compare-exchange, and moves `q` afterwards; who finds the place taken moves
// `q` for it. Values are not 0.
#pragma once

#include <simt/simt.hpp>

struct pourmeidani_nonblocking_fills {
  static constexpr const char* spec = "queue";
  static constexpr int capacity = 8;  // enqueues in all

  simt::atomic<int, simt::thread_scope_device> data[1 + capacity]{};  // 0: not filled yet
  simt::atomic<int, simt::thread_scope_device> front{0};              // the last one dequeued
  simt::atomic<int, simt::thread_scope_device> q{0};                  // the last one, or one before

  SIMT_FN void enqueue(int value) {
    while (true) {
      int xp = q.load(simt::memory_order_acquire);
      int none = 0;
      const bool filled =
          data[xp + 1].compare_exchange_strong(none, value, simt::memory_order_acq_rel);
      q.compare_exchange_strong(xp, xp + 1, simt::memory_order_acq_rel);
      if (filled) return;
    }
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      int t = front.load(simt::memory_order_acquire);
      const int pvalue = data[t + 1].load(simt::memory_order_acquire);
      if (pvalue == 0) return {};
      if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) return pvalue;
    }
  }
};
SIMT_SUBJECT(pourmeidani_nonblocking_fills);
