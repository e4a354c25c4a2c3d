// A broken twin of `treiber_tagged`: `pop` retires the node that it sees before it knows that it
// gets it. Two of them that see the same node retire it twice.
#pragma once

#include <simt/simt.hpp>

struct treiber_retire_twice {
  static constexpr const char* spec = "stack";

  struct alignas(8) tagged {
    int node;
    unsigned count;
  };

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};  // the number of a node; 0: none
  };

  simt::atomic<tagged, simt::thread_scope_device> top{tagged{0, 0}};
  simt::pool<node, 12, simt::pool_policy::type_stable> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value = value;
    tagged seen = top.load(simt::memory_order_relaxed);
    do {
      nodes.at(mine).next.store(seen.node, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, tagged{mine, seen.count + 1},
                                          simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    tagged seen = top.load(simt::memory_order_acquire);
    while (seen.node != 0) {
      const int next = nodes.at(seen.node).next.load(simt::memory_order_relaxed);
      const int value = nodes.at(seen.node).value;
      nodes.retire(&nodes.at(seen.node));
      if (top.compare_exchange_strong(seen, tagged{next, seen.count + 1},
                                      simt::memory_order_acquire)) {
        return value;
      }
    }
    return {};
  }
};
SIMT_SUBJECT(treiber_retire_twice);
