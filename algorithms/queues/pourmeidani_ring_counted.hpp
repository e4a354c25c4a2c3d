// The twin of `pourmeidani_ring` without ABA: Front counts dequeues, and the place in the ring
// follows from the count. So it does not come back to what it was, until the count itself wraps.
#pragma once

#include <simt/simt.hpp>

struct pourmeidani_ring_counted {
  static constexpr const char* spec = "bounded_queue:capacity=1";
  static constexpr unsigned size = 2;

  template <class T>
  using shared = simt::atomic<T, simt::thread_scope_device>;

  shared<int> data[size]{};
  shared<int> linked[size]{};
  shared<unsigned> front{0};
  unsigned q{0};

  SIMT_FN bool enqueue(int value) {
    if (q - front.load(simt::memory_order_acquire) == size - 1) return false;
    const unsigned behind = (q + 1) % size;
    data[behind].store(value, simt::memory_order_relaxed);
    linked[behind].store(0, simt::memory_order_relaxed);
    linked[q % size].store(1, simt::memory_order_release);
    q = q + 1;
    return true;
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      unsigned t = front.load(simt::memory_order_acquire);
      if (linked[t % size].load(simt::memory_order_acquire) == 0) return {};
      const int pvalue = data[(t + 1) % size].load(simt::memory_order_relaxed);
      if (front.compare_exchange_strong(t, t + 1, simt::memory_order_acq_rel)) return pvalue;
    }
  }
};
SIMT_SUBJECT(pourmeidani_ring_counted);
