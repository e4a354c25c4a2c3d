// Grote's hash table without locks (section 5.2.2): a compare-and-swap puts the new node at the
// front of its bucket's list. Nodes are used once and never removed.
#pragma once

#include "../locks/grote_locks.hpp"
#include "table_nodes.hpp"

struct table_lock_free {
  static constexpr const char* spec = "map";
  static constexpr int buckets = 2;

  grote::word<int> first[buckets]{};
  table_nodes nodes;

  SIMT_FN void put(int key, int value) {
    const int number = nodes.make(key, value);
    int before = first[key % buckets].load(simt::memory_order_relaxed);
    do {
      nodes[number].next = before;
    } while (!first[key % buckets].compare_exchange_strong(
        before, number, simt::memory_order_release, simt::memory_order_relaxed));
  }
  SIMT_FN simt::maybe<int> get(int key) {
    return nodes.find(first[key % buckets].load(simt::memory_order_acquire), key);
  }

  SIMT_FN void operator()() { put(static_cast<int>(simt::thread_rank()) * buckets, 1); }
  const char* check(const simt::launch_shape& shape) const {
    for (unsigned i = 0; i < shape.clients; ++i) {
      const int times = nodes.count(first[0].host_value(), static_cast<int>(i) * buckets);
      if (times != 1) return "a pair is lost, or there twice";
    }
    return nullptr;
  }
};
SIMT_SUBJECT(table_lock_free);
