// The nodes of priority queues in lists: beside the mark in its link each has one that says that a
// `delete_min` has taken it.
#pragma once

#include "../sets/marked_nodes.hpp"

struct taken_nodes : marked_nodes {
  simt::atomic<int, simt::thread_scope_device> taken[count]{};

  SIMT_FN int after(int number) { return number_of(nodes[number].link()); }
  SIMT_FN bool is_taken(int number) { return taken[number].load(simt::memory_order_acquire) != 0; }
  /// Whether the caller took it.
  SIMT_FN bool take(int number) {
    int expected = 0;
    return taken[number].compare_exchange_strong(expected, 1, simt::memory_order_acq_rel,
                                                 simt::memory_order_relaxed);
  }
};
