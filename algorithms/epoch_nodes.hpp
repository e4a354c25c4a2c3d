// Nodes that are used again by epochs (Fraser, Practical lock-freedom, thesis 2003, 5.2.3): who
// works on a structure says in which epoch it has begun. The epoch moves on when all that are at
// work have begun in it. A node that was removed in one epoch is used again two epochs later:
// nobody is at work then who might have seen it before. It is the global epoch that counts, read
// behind the removal.
#pragma once

#include <simt/simt.hpp>

/// `grace`: so many epochs later a node is used again. Two are needed.
template <int grace>
struct epoch_nodes {
  static constexpr int threads = 4;
  static constexpr int each = 3;  // nodes that a thread keeps until their epoch is over
  static constexpr int idle = -1;

  using shared = simt::atomic<int, simt::thread_scope_device>;

  struct node {
    int value{0};
    shared next{0};  // the number of a node; 0: none
  };

  simt::pool<node, 1 + threads * each, simt::pool_policy::reuse> nodes;
  shared epoch{0};
  shared began[threads] = {idle, idle, idle, idle};  // of each thread: in which epoch
  int removed[threads][each]{};                      // of each thread, the oldest first
  int removed_in[threads][each]{};
  int removals[threads]{};

  /// The caller begins to work on the structure; afterwards it may access what it finds there.
  SIMT_FN void begin() {
    began[me()].store(epoch.load(simt::memory_order_seq_cst), simt::memory_order_seq_cst);
  }
  SIMT_FN void end() { began[me()].store(idle, simt::memory_order_seq_cst); }

  /// A node that nobody accesses. Retires one that the calling thread has removed, if it may.
  SIMT_FN int allocate() {
    const int now = advance();
    if (removals[me()] > 0 && removed_in[me()][0] + grace <= now) {
      nodes.retire(&nodes.at(removed[me()][0]));
      --removals[me()];
      for (int i = 0; i < removals[me()]; ++i) {
        removed[me()][i] = removed[me()][i + 1];
        removed_in[me()][i] = removed_in[me()][i + 1];
      }
    }
    return nodes.index_of(nodes.allocate());
  }
  /// The node has been removed, while the caller is at work.
  SIMT_FN void remove(int number) {
    const int at = removals[me()]++;
    removed[me()][at] = number;
    removed_in[me()][at] = epoch.load(simt::memory_order_seq_cst);
  }

  SIMT_FN node& operator[](int number) { return nodes.at(number); }

 private:
  SIMT_FN static int me() { return static_cast<int>(simt::thread_rank()); }

  /// Moves the epoch on, if all that are at work have begun in it. The epoch then.
  SIMT_FN int advance() {
    int now = epoch.load(simt::memory_order_seq_cst);
    for (unsigned other = 0; other < simt::grid_size(); ++other) {
      const int in = began[other].load(simt::memory_order_seq_cst);
      if (in != idle && in != now) return now;
    }
    return epoch.compare_exchange_strong(now, now + 1, simt::memory_order_seq_cst) ? now + 1 : now;
  }
};
