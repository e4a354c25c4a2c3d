// The non-blocking queue of Michael and Scott (PODC 1996, figure 1) with hazard pointers in place
// of counts (Michael, Hazard pointers: safe memory reclamation for lock-free objects, IEEE TPDS
// 2004): nodes are used again when nobody is going to access them, so values can be plain.
#pragma once

#include <simt/simt.hpp>

#include "../hazard_nodes.hpp"

struct michael_scott_hazard {
  static constexpr const char* spec = "queue";

  simt::atomic<int, simt::thread_scope_device> head{0};
  simt::atomic<int, simt::thread_scope_device> tail{0};
  hazard_nodes<2> nodes;

  SIMT_FN void init() {
    const int dummy = nodes.allocate();
    head.store(dummy, simt::memory_order_relaxed);
    tail.store(dummy, simt::memory_order_relaxed);
  }

  SIMT_FN void enqueue(int value) {
    const int mine = nodes.allocate();
    nodes[mine].value = value;
    nodes[mine].next.store(0, simt::memory_order_relaxed);
    int last = 0;
    while (true) {
      last = tail.load(simt::memory_order_acquire);
      nodes.protect(0, last);
      if (last != tail.load(simt::memory_order_seq_cst)) continue;
      int next = nodes[last].next.load(simt::memory_order_acquire);
      if (next != 0) {  // E12, E13: help
        tail.compare_exchange_strong(last, next, simt::memory_order_seq_cst);
        continue;
      }
      if (nodes[last].next.compare_exchange_strong(next, mine, simt::memory_order_release)) break;
    }
    tail.compare_exchange_strong(last, mine, simt::memory_order_seq_cst);  // E17
    nodes.release();
  }

  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> taken;
    while (true) {
      int first = head.load(simt::memory_order_acquire);
      nodes.protect(0, first);
      if (first != head.load(simt::memory_order_seq_cst)) continue;
      int last = tail.load(simt::memory_order_acquire);
      const int next = nodes[first].next.load(simt::memory_order_acquire);
      nodes.protect(1, next);
      if (first != head.load(simt::memory_order_seq_cst)) continue;
      if (next == 0) break;
      if (first == last) {
        tail.compare_exchange_strong(last, next, simt::memory_order_seq_cst);  // D10
        continue;
      }
      const int value = nodes[next].value;  // D12
      if (head.compare_exchange_strong(first, next, simt::memory_order_seq_cst)) {
        taken = value;
        nodes.remove(first);
        break;
      }
    }
    nodes.release();
    return taken;
  }
};
SIMT_SUBJECT(michael_scott_hazard);
