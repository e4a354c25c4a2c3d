// The stack of Treiber (Systems programming: coping with parallelism, 1986), with nodes that are
// used again and nothing to tell it from the first time: ABA. The compare-exchange of `pop`
// succeeds when the node that it saw has been popped and pushed again, and sets `top` to what was
// below it then, which somebody else has by now.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct treiber_reuse {
  static constexpr const char* spec = "stack";

  simt::atomic<int, simt::thread_scope_device> top{0};
  recycled_nodes nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int next = nodes[seen].next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_acquire)) {
        const int value = nodes[seen].value;
        nodes.retire(seen);
        return value;
      }
    }
    return {};
  }
};
SIMT_SUBJECT(treiber_reuse);
