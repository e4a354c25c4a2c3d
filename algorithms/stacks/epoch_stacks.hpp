// The stack of Treiber (1986) with nodes that are used again by epochs.
#pragma once

#include "../epoch_nodes.hpp"

template <int grace>
struct epoch_stack {
  static constexpr const char* spec = "stack";

  simt::atomic<int, simt::thread_scope_device> top{0};
  epoch_nodes<grace> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_seq_cst));
  }

  SIMT_FN simt::maybe<int> pop() {
    simt::maybe<int> taken;
    nodes.begin();
    int seen = top.load(simt::memory_order_seq_cst);
    while (seen != 0) {
      const int next = nodes[seen].next.load(simt::memory_order_relaxed);
      if (!top.compare_exchange_strong(seen, next, simt::memory_order_seq_cst)) continue;
      taken = nodes[seen].value;
      nodes.remove(seen);
      break;
    }
    nodes.end();
    return taken;
  }
};
