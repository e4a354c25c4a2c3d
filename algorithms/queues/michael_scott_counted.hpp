// The non-blocking queue of Michael and Scott (Simple, fast, and practical non-blocking and
// blocking concurrent queue algorithms, PODC 1996, figure 1) as published: nodes are used again,
// and each pointer has a count beside it, in one word, that every change increases.
//
// A slow `dequeue` reads the value of a node that may be in use again; it notices by the failure
// of its exchange. So values are atomic.
#pragma once

#include <simt/simt.hpp>

struct michael_scott_counted {
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
    shared<pointer> next{pointer{0, 0}};
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
    const pointer old = nodes.at(mine).next.load(simt::memory_order_relaxed);
    // Released: who finds this in a node that has left the queue finds at D5 that it has.
    nodes.at(mine).next.store(pointer{0, old.count + 1}, simt::memory_order_release);
    pointer last{};
    while (true) {
      last = tail.load(simt::memory_order_acquire);
      pointer next = nodes.at(last.node).next.load(simt::memory_order_acquire);
      if (!(last == tail.load(simt::memory_order_acquire))) continue;  // E7
      if (next.node != 0) {                                            // E12, E13: help
        tail.compare_exchange_strong(last, pointer{next.node, last.count + 1},
                                     simt::memory_order_acq_rel);
        continue;
      }
      if (nodes.at(last.node).next.compare_exchange_strong(next, pointer{mine, next.count + 1},
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
      const pointer next = nodes.at(first.node).next.load(simt::memory_order_acquire);
      if (!(first == head.load(simt::memory_order_acquire))) continue;  // D5
      if (first.node == last.node) {
        if (next.node == 0) return {};
        tail.compare_exchange_strong(last, pointer{next.node, last.count + 1},
                                     simt::memory_order_acq_rel);  // D10
        continue;
      }
      const int value = nodes.at(next.node).value.load(simt::memory_order_relaxed);  // D12
      if (head.compare_exchange_strong(first, pointer{next.node, first.count + 1},
                                       simt::memory_order_acq_rel)) {
        nodes.retire(&nodes.at(first.node));  // D14
        return value;
      }
    }
  }
};
SIMT_SUBJECT(michael_scott_counted);
