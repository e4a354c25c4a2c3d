// The broken twin of `michael_scott`: who finds that the tail lags behind waits until the one that
// linked the last node has swung it, instead of helping (lines E13 and D10 are missing). Nobody's
// operation gives a wrong answer, but the queue is not non-blocking any more; and in lockstep the
// lane that has linked its node is parked behind the loop in which the others wait for it.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct michael_scott_no_help {
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
      if (next != 0) continue;
      if (nodes[last].next.compare_exchange_strong(next, mine, simt::memory_order_release)) break;
    }
    tail.compare_exchange_strong(last, mine, simt::memory_order_release);  // E17
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      int first = head.load(simt::memory_order_acquire);
      const int last = tail.load(simt::memory_order_acquire);
      const int next = nodes[first].next.load(simt::memory_order_acquire);
      if (first != head.load(simt::memory_order_acquire)) continue;  // D5
      if (first == last) {
        if (next == 0) return {};
        continue;
      }
      const int value = nodes[next].value;  // D12: before the exchange
      if (head.compare_exchange_strong(first, next, simt::memory_order_release)) return value;
    }
  }
};
SIMT_SUBJECT(michael_scott_no_help);
