// The broken twin of `michael_scott_counted`: head and tail have counts, the links of the nodes
// have not. A slow `enqueue` links its node to one that has left the queue and is about to come
// back; its value is not in the queue until that one is, although it has returned.
#pragma once

#include <simt/simt.hpp>

struct michael_scott_uncounted_next {
  static constexpr const char* spec = "queue";

  struct alignas(8) pointer {
    int node;  // 0: none
    unsigned count;
    SIMT_FN friend bool operator==(pointer a, pointer b) {
      return a.node == b.node && a.count == b.count;
    }
  };
  template <class T>
  using shared = simt::atomic<T, simt::thread_scope_device>;

  struct node {
    shared<int> value{0};
    shared<int> next{0};
  };

  shared<pointer> head{pointer{0, 0}};
  shared<pointer> tail{pointer{0, 0}};
  simt::pool<node, 13, simt::pool_policy::type_stable> nodes;

  SIMT_FN void init() {
    const int dummy = nodes.index_of(nodes.allocate());
    head.store(pointer{dummy, 0}, simt::memory_order_relaxed);
    tail.store(pointer{dummy, 0}, simt::memory_order_relaxed);
  }

  SIMT_FN void enqueue(int value) {
    const int mine = nodes.index_of(nodes.allocate());
    nodes.at(mine).value.store(value, simt::memory_order_relaxed);
    nodes.at(mine).next.store(0, simt::memory_order_relaxed);
    pointer last{};
    while (true) {
      last = tail.load(simt::memory_order_acquire);
      int next = nodes.at(last.node).next.load(simt::memory_order_acquire);
      if (!(last == tail.load(simt::memory_order_acquire))) continue;  // E7
      if (next != 0) {                                                 // E12, E13: help
        tail.compare_exchange_strong(last, pointer{next, last.count + 1},
                                     simt::memory_order_acq_rel);
        continue;
      }
      if (nodes.at(last.node).next.compare_exchange_strong(next, mine,
                                                           simt::memory_order_release)) {
        break;
      }
    }
    tail.compare_exchange_strong(last, pointer{mine, last.count + 1},
                                 simt::memory_order_release);  // E17
  }

  SIMT_FN simt::maybe<int> dequeue() {
    while (true) {
      pointer first = head.load(simt::memory_order_acquire);
      pointer last = tail.load(simt::memory_order_acquire);
      const int next = nodes.at(first.node).next.load(simt::memory_order_acquire);
      if (!(first == head.load(simt::memory_order_acquire))) continue;  // D5
      if (first.node == last.node) {
        if (next == 0) return {};
        tail.compare_exchange_strong(last, pointer{next, last.count + 1},
                                     simt::memory_order_acq_rel);  // D10
        continue;
      }
      const int value = nodes.at(next).value.load(simt::memory_order_relaxed);  // D12
      if (head.compare_exchange_strong(first, pointer{next, first.count + 1},
                                       simt::memory_order_acq_rel)) {
        nodes.retire(&nodes.at(first.node));  // D14
        return value;
      }
    }
  }
};
SIMT_SUBJECT(michael_scott_uncounted_next);
