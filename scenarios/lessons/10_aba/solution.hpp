// `top` has a count beside the number of the node, in one word: it never comes back.
#pragma once

#include <simt/simt.hpp>

struct node_stack {
  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};
  };
  struct alignas(8) counted {
    int node;
    unsigned count;
  };

  simt::atomic<counted, simt::thread_scope_device> top{counted{0, 0}};
  simt::pool<node, 4, simt::pool_policy::type_stable> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value = value;
    counted seen = top.load(simt::memory_order_relaxed);
    do {
      nodes.at(mine).next.store(seen.node, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, counted{mine, seen.count + 1},
                                          simt::memory_order_acq_rel));
  }

  SIMT_FN simt::maybe<int> pop() {
    counted seen = top.load(simt::memory_order_acquire);
    while (seen.node != 0) {
      const int next = nodes.at(seen.node).next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, counted{next, seen.count + 1},
                                      simt::memory_order_acq_rel)) {
        const int value = nodes.at(seen.node).value;
        nodes.retire(&nodes.at(seen.node));
        return value;
      }
    }
    return {};
  }
};
