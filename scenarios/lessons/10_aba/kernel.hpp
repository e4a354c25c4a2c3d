// The stack of Treiber (1986). Nodes are used again as soon as they are popped. `top` and `next`
// are numbers of nodes; 0 is none.
#pragma once

#include <simt/simt.hpp>

struct node_stack {
  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};
  };

  simt::atomic<int, simt::thread_scope_device> top{0};
  simt::pool<node, 4, simt::pool_policy::type_stable> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes.at(mine).next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_acq_rel));
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int next = nodes.at(seen).next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_acq_rel)) {
        const int value = nodes.at(seen).value;
        nodes.retire(&nodes.at(seen));
        return value;
      }
    }
    return {};
  }
};
