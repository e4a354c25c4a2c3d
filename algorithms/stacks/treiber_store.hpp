// The broken twin of `treiber`: `pop` stores the new top instead of exchanging it, so that two of
// them can take the same value.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"

struct treiber_store {
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
  }

  SIMT_FN simt::maybe<int> pop() {
    const int seen = top.load(simt::memory_order_acquire);
    if (seen == 0) return {};
    const int next = nodes[seen].next.load(simt::memory_order_relaxed);
    top.store(next, simt::memory_order_relaxed);
    return nodes[seen].value;
  }
};
SIMT_SUBJECT(treiber_store);
