// The broken twin of `michael_scott_counted`: nodes are used again, and nothing is counted. A slow
// compare-exchange succeeds on a node that has left the queue and come back (ABA).
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct michael_scott_reuse {
  static constexpr const char* spec = "queue";
  static constexpr int dummy = fresh_nodes::threads * fresh_nodes::each;  // of the last thread

  template <class T>
  using shared = simt::atomic<T, simt::thread_scope_device>;

  struct node {
    shared<int> value{0};
    shared<int> next{0};
  };

  shared<int> head{dummy};
  shared<int> tail{dummy};
  node nodes[1 + dummy];
  recycled_numbers numbers;

  SIMT_FN void enqueue(int value) {
    const int mine = numbers.allocate();
    nodes[mine].value.store(value, simt::memory_order_relaxed);
    nodes[mine].next.store(0, simt::memory_order_relaxed);
    int last = 0;
    while (true) {
      last = tail.load(simt::memory_order_acquire);
      int next = nodes[last].next.load(simt::memory_order_acquire);
      if (last != tail.load(simt::memory_order_acquire)) continue;  // E7
      if (next != 0) {                                              // E12, E13: help
        tail.compare_exchange_strong(last, next, simt::memory_order_acq_rel);
        continue;
      }
      if (nodes[last].next.compare_exchange_strong(next, mine, simt::memory_order_release)) break;
    }
    tail.compare_exchange_strong(last, mine, simt::memory_order_release);  // E17
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      int first = head.load(simt::memory_order_acquire);
      int last = tail.load(simt::memory_order_acquire);
      const int next = nodes[first].next.load(simt::memory_order_acquire);
      if (first != head.load(simt::memory_order_acquire)) continue;  // D5
      if (first == last) {
        if (next == 0) return {};
        tail.compare_exchange_strong(last, next, simt::memory_order_acq_rel);  // D10
        continue;
      }
      const int value = nodes[next].value.load(simt::memory_order_relaxed);  // D12
      if (head.compare_exchange_strong(first, next, simt::memory_order_acq_rel)) {
        numbers.retire(first);  // D14
        return value;
      }
    }
  }
};
SIMT_SUBJECT(michael_scott_reuse);
