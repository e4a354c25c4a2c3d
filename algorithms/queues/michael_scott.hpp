// The non-blocking queue of Michael and Scott (Simple, fast, and practical non-blocking and
// blocking concurrent queue algorithms, PODC 1996, figure 1). Nodes are used once, so that no
// counts are needed beside the pointers.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct michael_scott {
  static constexpr const char* spec = "queue";
  static constexpr int dummy = fresh_nodes::threads * fresh_nodes::each;  // of the last thread

  simt::atomic<int, simt::thread_scope_device> head{dummy};
  simt::atomic<int, simt::thread_scope_device> tail{dummy};
  fresh_nodes nodes;

  SIMT_FN void enqueue(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    int last = 0;
    while (true) {
      last = tail.load(simt::memory_order_acquire);
      int next = nodes[last].next.load(simt::memory_order_acquire);
      if (last != tail.load(simt::memory_order_acquire)) continue;  // E7
      if (next != 0) {                                              // E12, E13: help
        tail.compare_exchange_strong(last, next, simt::memory_order_release);
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
        tail.compare_exchange_strong(last, next, simt::memory_order_release);  // D10
        continue;
      }
      const int value = nodes[next].value;  // D12: before the exchange
      if (head.compare_exchange_strong(first, next, simt::memory_order_release)) return value;
    }
  }
};
SIMT_SUBJECT(michael_scott);
