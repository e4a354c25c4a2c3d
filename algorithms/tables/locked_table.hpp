// A hash table with a lock for each bucket, whose list grows at its front: Grote (2020), section
// 5.2.2. As a kernel, each thread inserts its rank, all of them in the same bucket; as an object,
// it is a map.
#pragma once

#include "../locks/grote_locks.hpp"
#include "table_nodes.hpp"

template <class Lock>
struct locked_table {
  static constexpr const char* spec = "map";
  static constexpr int buckets = 2;

  struct bucket {
    Lock lock;
    int first = 0;
  };

  typename Lock::shared shared;
  bucket table[buckets];
  table_nodes nodes;

  SIMT_FN void put(int key, int value) {
    bucket& home = table[key % buckets];
    const int number = nodes.make(key, value);
    home.lock.lock(shared);
    nodes[number].next = home.first;
    home.first = number;
    home.lock.unlock(shared);
  }
  SIMT_FN simt::maybe<int> get(int key) {
    bucket& home = table[key % buckets];
    home.lock.lock(shared);
    const simt::maybe<int> found = nodes.find(home.first, key);
    home.lock.unlock(shared);
    return found;
  }

  SIMT_FN void operator()() { put(static_cast<int>(simt::thread_rank()) * buckets, 1); }
  const char* check(const simt::launch_shape& shape) const {
    for (unsigned i = 0; i < shape.clients; ++i) {
      const int times = nodes.count(table[0].first, static_cast<int>(i) * buckets);
      if (times != 1) return "a pair is lost, or there twice";
    }
    return nullptr;
  }
};
