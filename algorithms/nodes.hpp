// Nodes of lists, each used once: thread i takes the nodes of its own part one after another. For
// algorithms whose nodes are never used again.
#pragma once

#include <simt/simt.hpp>

struct fresh_nodes {
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 1);  // operations of a thread that take a node

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

// Numbers of nodes that are used again: each thread keeps those that it gives back, and takes them
// before fresh ones, the last first. For twins that are to show what an algorithm returns when its
// nodes come back: with a pool (simt/pool.hpp), the first node that is given back twice would end
// the run.
struct recycled_numbers {
  static constexpr int threads = fresh_nodes::threads;
  static constexpr int each = fresh_nodes::each;  // fresh ones of a thread, and what it keeps

  int used[threads]{};
  int spare[threads][each]{};
  int spares[threads]{};

  /// Of the calling thread.
  SIMT_FN int allocate() {
    const int me = static_cast<int>(simt::thread_rank());
    if (spares[me] != 0) return spare[me][--spares[me]];
    return 1 + me * each + used[me]++;
  }
  /// Keeps a node for the calling thread, wherever it came from.
  SIMT_FN void retire(int number) {
    const int me = static_cast<int>(simt::thread_rank());
    spare[me][spares[me]++] = number;
  }
};

/// Nodes like those of `fresh_nodes`, used again.
struct recycled_nodes : recycled_numbers {
  using node = fresh_nodes::node;

  node nodes[1 + threads * each];  // number 0 is none

  SIMT_FN node& operator[](int number) { return nodes[number]; }
};
