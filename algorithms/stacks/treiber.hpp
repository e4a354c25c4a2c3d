// The stack of Treiber (Systems programming: coping with parallelism, 1986). Nodes are used once,
// so that the compare-exchange of `pop` cannot be misled by one that has come back.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct treiber {
  static constexpr const char* spec = "stack";

  simt::atomic<int, simt::thread_scope_device> top{0};
  fresh_nodes nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
    simt::linearization_point();
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int next = nodes[seen].next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_acquire)) {
        simt::linearization_point();
        return nodes[seen].value;
      }
    }
    simt::linearization_point();  // where `top` was seen to be none
    return {};
  }
};
SIMT_SUBJECT(treiber);
