// Is the non-blocking queue of Pourmeidani's thesis (section 3.2) immune to ABA, as the thesis
// says? As listed, no node is ever used again, so Front never comes back to one, and there is no
// ABA to suffer from. The reason that the thesis gives is another one: if Front has left node A and
// come back, the compare-exchange "does not succeed because the private variable t and front
// pointer do not match". They do match. Here are the same enqueue and dequeue with nodes that are
// used again, in a ring of two, one of them the dummy: a dequeue returns a value that was dequeued
// long ago.
//
// For one thread that enqueues, so that it needs no reservation
// (`pourmeidani_nonblocking_front_once` has what is wrong with that).
#pragma once

#include <simt/simt.hpp>

struct pourmeidani_ring {
  static constexpr const char* spec = "bounded_queue:capacity=1";
  static constexpr int size = 2;

  template <class T>
  using shared = simt::atomic<T, simt::thread_scope_device>;

  shared<int> data[size]{};
  shared<int> linked[size]{};  // whether `next` of the node is not NULL: it is the next in the ring
  shared<int> front{0};
  int q{0};  // of the enqueueing thread

  SIMT_FN bool enqueue(int value) {
    const int behind = (q + 1) % size;
    if (behind == front.load(simt::memory_order_acquire)) return false;
    data[behind].store(value, simt::memory_order_relaxed);
    linked[behind].store(0, simt::memory_order_relaxed);
    linked[q].store(1, simt::memory_order_release);
    q = behind;
    return true;
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      int t = front.load(simt::memory_order_acquire);
      if (linked[t].load(simt::memory_order_acquire) == 0) return {};
      const int pvalue = data[(t + 1) % size].load(simt::memory_order_relaxed);
      if (front.compare_exchange_strong(t, (t + 1) % size, simt::memory_order_acq_rel)) {
        return pvalue;
      }
    }
  }
};
SIMT_SUBJECT(pourmeidani_ring);
