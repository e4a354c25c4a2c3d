// The broken twin of `treiber_hazard`: `pop` does not look again at `top` after it has said which
// node it accesses. In between the node may have been popped and be on its way back.
#pragma once

#include <simt/simt.hpp>

#include "../hazard_nodes.hpp"

struct treiber_hazard_unvalidated {
  static constexpr const char* spec = "stack";

  simt::atomic<int, simt::thread_scope_device> top{0};
  hazard_nodes<1, simt::pool_policy::type_stable> nodes;

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
SIMT_SUBJECT(treiber_hazard_unvalidated);
