// A broken relative of the queue of Michael and Scott: `enqueue` swings the tail before it links
// its node. Until the link is there, nobody comes to what others enqueue behind it, and `dequeue`
// says that the queue is empty although an enqueue has returned.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct tail_first {
  static constexpr const char* spec = "queue";
  static constexpr int dummy = fresh_nodes::threads * fresh_nodes::each;

  simt::atomic<int, simt::thread_scope_device> head{dummy};
  simt::atomic<int, simt::thread_scope_device> tail{dummy};
  fresh_nodes nodes;

  SIMT_FN void enqueue(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    const int last = tail.exchange(mine, simt::memory_order_acq_rel);
    nodes[last].next.store(mine, simt::memory_order_release);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    int first = head.load(simt::memory_order_acquire);
    while (true) {
      const int next = nodes[first].next.load(simt::memory_order_acquire);
      if (next == 0) return {};
      const int value = nodes[next].value;
      if (head.compare_exchange_strong(first, next, simt::memory_order_acq_rel)) return value;
    }
  }
};
SIMT_SUBJECT(tail_first);
