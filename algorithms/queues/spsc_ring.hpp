// A ring buffer for one thread that enqueues and one that dequeues (Lamport, Specifying concurrent
// program modules, 1983).
#pragma once

#include <simt/simt.hpp>

struct spsc_ring {
  static constexpr const char* spec = "bounded_queue:capacity=2";
  static constexpr unsigned capacity = 2;

  simt::atomic<unsigned, simt::thread_scope_device> taken{0};
  simt::atomic<unsigned, simt::thread_scope_device> filled{0};
  int values[capacity]{};

  SIMT_FN bool enqueue(int value) {
    const unsigned at = filled.load(simt::memory_order_relaxed);
    const bool full = at - taken.load(simt::memory_order_acquire) == capacity;
    simt::linearization_point(full);
    if (full) return false;
    values[at % capacity] = value;
    filled.store(at + 1, simt::memory_order_release);
    simt::linearization_point();
    return true;
  }

  SIMT_FN simt::maybe<int> dequeue() {
    const unsigned at = taken.load(simt::memory_order_relaxed);
    const bool empty = at == filled.load(simt::memory_order_acquire);
    simt::linearization_point(empty);
    if (empty) return {};
    const int value = values[at % capacity];
    taken.store(at + 1, simt::memory_order_release);
    simt::linearization_point();
    return value;
  }
};
SIMT_SUBJECT(spsc_ring);
