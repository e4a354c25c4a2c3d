// Nodes of lists, each used once: thread i takes the nodes of its own part one after another. For
// algorithms whose nodes are never used again.
#pragma once

#include <simt/simt.hpp>

struct fresh_nodes {
  static constexpr int threads = 4;
  static constexpr int each = 3;  // operations of a thread that take a node

  struct node {
    int value{0};
    simt::atomic<int, simt::thread_scope_device> next{0};  // the number of a node; 0: none
  };

  node nodes[1 + threads * each];  // number 0 is none
  int used[threads]{};

  /// Of the calling thread.
  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    return 1 + me * each + used[me]++;
  }
  SIMT_FN node& operator[](int number) { return nodes[number]; }
};
