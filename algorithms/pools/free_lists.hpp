// Free nodes as in Cederman's thesis (2011, 4.6): each thread has a list of its own, and a stack
// without locks has what does not fit there. Here such a list has one node, in the thesis 200. The
// stack has a tag or not.
#pragma once

#include <simt/simt.hpp>

template <bool has_tag>
struct free_lists_of {
  static constexpr int threads = 2;
  static constexpr int nodes = 3;  // numbers from 1 on; 0: none

  using word = simt::atomic<int, simt::thread_scope_device>;

  word top{1};                 // {tag, number}
  word next[1 + nodes]{};      // of a node on the stack
  word is_taken[1 + nodes]{};  // what the check needs
  int own[threads]{};

  SIMT_FN void init() {
    for (int node = 1; node < nodes; ++node) {
      next[node].store(node + 1, simt::memory_order_relaxed);
    }
  }

  /// Two nodes are taken and given back, the second one first. Then one is taken.
  SIMT_FN void operator()() {
    const int first = take();
    const int second = take();
    give(second);
    give(first);
    take();
  }

 private:
  static constexpr int numbers = 8;

  SIMT_FN int& mine() { return own[simt::thread_rank()]; }

  /// 0: no node is free.
  SIMT_FN int take() {
    int node = mine();
    mine() = 0;
    if (node == 0) node = pop();
    if (node != 0) {
      simt::check(is_taken[node].exchange(1, simt::memory_order_acquire) == 0,
                  "a node is taken twice");
    }
    return node;
  }
  SIMT_FN void give(int node) {
    if (node == 0) return;
    is_taken[node].store(0, simt::memory_order_release);
    if (mine() == 0) {
      mine() = node;
    } else {
      push(node);
    }
  }

  SIMT_FN static int with_tag(int old_top, int node) {
    return has_tag ? (old_top / numbers + 1) * numbers + node : node;
  }
  SIMT_FN int pop() {
    int seen = top.load(simt::memory_order_acquire);
    while (seen % numbers != 0) {
      const int behind = next[seen % numbers].load(simt::memory_order_relaxed);
      const int node = seen % numbers;
      if (top.compare_exchange_strong(seen, with_tag(seen, behind), simt::memory_order_acq_rel,
                                      simt::memory_order_acquire)) {
        return node;
      }
    }
    return 0;
  }
  SIMT_FN void push(int node) {
    int seen = top.load(simt::memory_order_relaxed);
    do {
      next[node].store(seen % numbers, simt::memory_order_relaxed);
    } while (!top.compare_exchange_strong(seen, with_tag(seen, node), simt::memory_order_acq_rel,
                                          simt::memory_order_relaxed));
  }
};
