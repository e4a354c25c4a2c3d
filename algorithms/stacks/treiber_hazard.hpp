// The stack of Treiber (Systems programming: coping with parallelism, 1986), with nodes that are
// used again when no hazard pointer names them (Michael, Hazard pointers, IEEE TPDS 2004): nobody
// can push again what a `pop` still compares with.
#pragma once

#include <simt/simt.hpp>

#include "../hazard_nodes.hpp"

struct treiber_hazard {
  static constexpr const char* spec = "stack";

  simt::atomic<int, simt::thread_scope_device> top{0};
  hazard_nodes<1> nodes;

  SIMT_FN void push(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].next.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    simt::maybe<int> taken;
    while (true) {
      int seen = top.load(simt::memory_order_acquire);
      if (seen == 0) break;
      nodes.protect(0, seen);
      if (top.load(simt::memory_order_seq_cst) != seen) continue;
      const int next = nodes[seen].next.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, next, simt::memory_order_seq_cst)) {
        taken = nodes[seen].value;
        nodes.remove(seen);
        break;
      }
    }
    nodes.release();
    return taken;
  }
};
SIMT_SUBJECT(treiber_hazard);
