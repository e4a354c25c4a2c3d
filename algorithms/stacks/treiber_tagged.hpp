// The stack of Treiber (Systems programming: coping with parallelism, 1986), with nodes that are
// used again and a count beside `top`, in one word: each `pop` and `push` adds one, so that `top`
// is never what it was before.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct treiber_tagged {
  static constexpr const char* spec = "stack";

  struct alignas(8) tagged {
    int node;
    unsigned count;
  };

  simt::atomic<tagged, simt::thread_scope_device> top{tagged{0, 0}};
  recycled_nodes nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    tagged seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].next.store(seen.node, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, tagged{mine, seen.count + 1},
                                          simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    tagged seen = top.load(simt::memory_order_acquire);
    while (seen.node != 0) {
      const int next = nodes[seen.node].next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, tagged{next, seen.count + 1},
                                      simt::memory_order_acquire)) {
        const int value = nodes[seen.node].value;
        nodes.retire(seen.node);
        return value;
      }
    }
    return {};
  }
};
SIMT_SUBJECT(treiber_tagged);
