// Consensus objects: all that propose a value are told the same one, which one of them has proposed
// (Herlihy, Wait-free synchronization, TOPLAS 1991; the hierarchy in Cederman's thesis, 2011,
// figure 1.4). Each thread proposes once.
#pragma once

#include <simt/simt.hpp>

SIMT_OPERATION(propose);

/// What proposals have in common. Values are not 0.
struct proposals {
  using operations = simt::operation_list<simt_operation_propose>;
  using word = simt::atomic<int, simt::thread_scope_device>;
  static constexpr const char* spec = "consensus";
  static constexpr int threads = 3;

  word proposed[threads]{};

  SIMT_FN int me() { return static_cast<int>(simt::thread_rank()); }
  SIMT_FN void announce(int value) { proposed[me()].store(value, simt::memory_order_seq_cst); }
  /// Of the next thread that has announced one.
  SIMT_FN int other() {
    const int all = static_cast<int>(simt::grid_size());
    int value = 0;
    for (int i = 1; i < all && value == 0; ++i) {
      value = proposed[(me() + i) % all].load(simt::memory_order_seq_cst);
    }
    return value;
  }
};
