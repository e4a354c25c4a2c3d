// The stack of Treiber (Systems programming: coping with parallelism, 1986) for two threads that
// push and pop in turn. Each has a node to push, and then the one that it has popped; so the nodes
// do for ever. That a node comes back misleads nobody here: what is below it is the same. (With
// three threads it would not be: `treiber_reuse`.)
#pragma once

#include <simt/simt.hpp>

struct treiber_pair {
  static constexpr const char* spec = "stack";
  static constexpr int threads = 2;

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> below{0};
  };

  simt::atomic<int, simt::thread_scope_device> top{0};  // 0: the stack is empty
  node nodes[1 + threads];                              // number 0 is none
  int own[threads]{1, 2};                               // of each thread

  SIMT_FN void push(int value) {
    const int mine = own[simt::thread_rank()];
    nodes[mine].value = value;
    int seen = top.load(simt::memory_order_relaxed);
    do {
      nodes[mine].below.store(seen, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, mine, simt::memory_order_release));
  }

  SIMT_FN simt::maybe<int> pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen != 0) {
      const int below = nodes[seen].below.load(simt::memory_order_relaxed);
      if (top.compare_exchange_strong(seen, below, simt::memory_order_acquire)) {
        own[simt::thread_rank()] = seen;
        return nodes[seen].value;
      }
    }
    return {};
  }
};
SIMT_SUBJECT(treiber_pair);
