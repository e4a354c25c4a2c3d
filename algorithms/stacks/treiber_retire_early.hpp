// A broken twin of `treiber_hazard`: `pop` retires its node at once, although others may still be
// about to read what is below it.
#pragma once

#include <simt/simt.hpp>

struct treiber_retire_early {
  static constexpr const char* spec = "stack";

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};  // the number of a node; 0: none
  };

  simt::atomic<int, simt::thread_scope_device> top{0};
  simt::pool<node, 12> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes.at(mine).next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int next = nodes.at(seen).next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_acquire)) {
        const int value = nodes.at(seen).value;
        nodes.retire(&nodes.at(seen));
        return value;
      }
    }
    return {};
  }
};
SIMT_SUBJECT(treiber_retire_early);
