// The stack of Treiber (1986) with nodes that are used again when nobody refers to them, as
// reference counts tell.
#pragma once

#include <simt/simt.hpp>

#include "../nodes.hpp"
#include "../reference_count.hpp"

template <bool corrected>
struct counted_stack {
  static constexpr const char* spec = "stack";

  using shared = simt::atomic<int, simt::thread_scope_device>;
  struct node {
    int value{0};
    shared next{0};  // the number of a node; 0: none
    reference_count<corrected> count;
  };

  recycled_numbers numbers;
  node nodes[1 + recycled_numbers::threads * recycled_numbers::each];
  shared top{0};

  SIMT_FN void push(int value) {
    const int mine = numbers.allocate();
    nodes[mine].count.begin();
    nodes[mine].value = value;
    while (true) {
      int seen = refer();
      nodes[mine].next.store(seen, simt::memory_order_release);
      if (top.compare_exchange_strong(seen, mine, order)) {
        release(seen);  // `top` does not refer to it any more
        return;
      }
      release(nodes[mine].next.load(simt::memory_order_relaxed));
    }
  }

  SIMT_FN simt::maybe<int> pop() {
    while (true) {
      int seen = refer();
      if (seen == 0) return {};
      const int taken = seen;
      const int next = nodes[seen].next.load(simt::memory_order_acquire);
      if (next != 0) nodes[next].count.add();
      if (top.compare_exchange_strong(seen, next, order)) {
        const int value = nodes[taken].value;
        release(taken);
        release(taken);
        return value;
      }
      release(next);
      release(taken);
    }
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_acq_rel;

  /// The node that `top` refers to, with one more reference (SafeRead).
  SIMT_FN int refer() {
    while (true) {
      const int seen = top.load(simt::memory_order_acquire);
      if (seen == 0) return 0;
      nodes[seen].count.add();
      if (top.load(simt::memory_order_acquire) == seen) return seen;
      release(seen);
    }
  }

  /// One reference less. Who claims the node gives it back, and lets go of the node behind it.
  SIMT_FN void release(int number) {
    while (number != 0 && nodes[number].count.drop()) {
      const int next = nodes[number].next.load(simt::memory_order_acquire);
      numbers.retire(number);
      number = next;
    }
  }
};
