// The nodes of sorted lists with a lock each: two sentinels, and nodes that are used once.
#pragma once

#include <climits>

#include <simt/simt.hpp>

struct locked_nodes {
  static constexpr int threads = 4;
  static constexpr int each = 2;  // inserts of a thread
  static constexpr int first = 0;
  static constexpr int last = 1;

  template <class T>
  using shared = simt::atomic<T, simt::thread_scope_device>;

  struct node {
    int key{0};
    shared<int> next{last};
    shared<int> held{0};

    SIMT_FN void lock() {
      while (held.exchange(1, simt::memory_order_acquire) != 0) {
      }
    }
    SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
    SIMT_FN int after() { return next.load(simt::memory_order_acquire); }
  };
  /// Two neighbours: all keys up to the one before `at` are smaller than the one looked for.
  struct place {
    int before;
    int at;
  };

  node nodes[2 + threads * each];
  int used[threads]{};

  SIMT_FN void init() {
    nodes[first].key = INT_MIN;
    nodes[last].key = INT_MAX;
  }

  SIMT_FN node& operator[](int number) { return nodes[number]; }

  SIMT_FN void insert_at(place where, int key) {
    const int me = static_cast<int>(simt::thread_rank());
    const int mine = 2 + me * each + used[me]++;
    nodes[mine].key = key;
    nodes[mine].next.store(where.at, simt::memory_order_relaxed);
    nodes[where.before].next.store(mine, simt::memory_order_release);
  }
  SIMT_FN void unlink(place where) {
    nodes[where.before].next.store(nodes[where.at].after(), simt::memory_order_release);
  }
};
