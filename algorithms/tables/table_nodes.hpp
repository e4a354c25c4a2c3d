// The pairs of a hash table, in one array: each thread takes the nodes of its own part one after
// another. Node 0 is none.
#pragma once

#include <simt/simt.hpp>

struct table_nodes {
  static constexpr int threads = 4;
  static constexpr int each = 2;  // inserts of a thread

  struct node {
    int key = 0;
    int value = 0;
    int next = 0;
  };

  node all[1 + threads * each];
  int used[threads]{};

  SIMT_FN int make(int key, int value) {
    const int me = static_cast<int>(simt::thread_rank());
    const int number = 1 + me * each + used[me]++;
    all[number].key = key;
    all[number].value = value;
    return number;
  }
  SIMT_FN node& operator[](int number) { return all[number]; }

  /// The value that the list from `first` has for `key`: the one inserted last.
  SIMT_FN simt::maybe<int> find(int first, int key) {
    simt::maybe<int> found;
    int at = first;
    while (at != 0 && all[at].key != key) at = all[at].next;
    if (at != 0) found = all[at].value;
    return found;
  }

  /// On the host: how often the list from `first` has `key`, looking at no more nodes than there
  /// are.
  int count(int first, int key) const {
    int times = 0;
    int steps = 0;
    for (int at = first; at != 0 && steps <= threads * each; at = all[at].next, ++steps) {
      if (all[at].key == key) ++times;
    }
    return times;
  }
};
