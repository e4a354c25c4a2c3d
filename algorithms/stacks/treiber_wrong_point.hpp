// A twin of `treiber` whose stack is right, and whose declaration is wrong: `push` is said to take
// effect when it first looks at `top`, before the exchange that makes its node the top.
#pragma once

#include <simt/simt.hpp>

struct treiber_wrong_point {
  static constexpr const char* spec = "stack";

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};  // the number of a node; 0: none
  };

  simt::atomic<int, simt::thread_scope_device> top{0};
  simt::pool<node, 12, simt::pool_policy::no_reuse> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value = value;
    int seen = top.load(simt::memory_order_relaxed);
    simt::linearization_point();
    do {
      nodes.at(mine).next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int next = nodes.at(seen).next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_acquire)) {
        simt::linearization_point();
        return nodes.at(seen).value;
      }
    }
    simt::linearization_point();  // where `top` was seen to be none
    return {};
  }
};
SIMT_SUBJECT(treiber_wrong_point);
