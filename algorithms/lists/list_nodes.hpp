// The nodes of sorted lists: a node in front of all, and for each thread some that it takes one
// after another. A link of 0 is the end. (hardware/list.cu has others, many, with more than one
// entry point.)
#pragma once

#include <climits>

#include <simt/simt.hpp>

struct list_nodes {
  static constexpr int threads = 4;
  static constexpr int each = 2;  // inserts of a thread
  static constexpr int entry_points = 1;
  static constexpr int front = 0;
  static constexpr int end = 0;
  static constexpr int count = 1 + threads * each;

  struct node {
    int key = INT_MIN;
    int next = end;
  };

  node all[count];
  int used[threads]{};

  SIMT_FN int make(int key) {
    const int me = static_cast<int>(simt::thread_rank());
    const int number = 1 + me * each + used[me]++;
    all[number].key = key;
    return number;
  }
  SIMT_FN node& operator[](int number) { return all[number]; }

  /// On the host: whether the list is ascending and has the keys 1 to `keys`, each once.
  bool has_all(unsigned keys) const {
    unsigned at_key = 0;
    for (int at = all[front].next; at != end; at = all[at].next) {
      if (all[at].key != static_cast<int>(at_key) + 1) return false;
      if (++at_key > keys) return false;
    }
    return at_key == keys;
  }
};
