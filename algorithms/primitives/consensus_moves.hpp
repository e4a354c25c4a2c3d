// Consensus by a move from one word in memory to another, for any number of threads (Herlihy,
// 1991). Each thread has a source, which is 1, and a target, which is 0. It moves its source to its
// target, and then clears the sources of the threads behind it. Of the targets that are 1 then, the
// last one decides: no target behind a thread that has done so changes any more.
//
// A GPU has no such move. Here the words are bits of one word, and a CAS moves one.
#pragma once

#include "consensus.hpp"

template <bool in_one_step>
struct consensus_by_moves : proposals {
  static constexpr int targets = 8;  // the first bit of the targets

  word bits{(1 << threads) - 1};

  SIMT_FN int propose(int value) {
    announce(value);
    move();
    const int all = static_cast<int>(simt::grid_size());
    for (int i = me() + 1; i < all; ++i) bits.fetch_and(~(1 << i), order);
    int last = all - 1;
    while ((bits.load(order) >> (targets + last) & 1) == 0) --last;
    return proposed[last].load(order);
  }

 private:
  static constexpr simt::memory_order order = simt::memory_order_seq_cst;

  SIMT_FN void move() {
    int seen = bits.load(order);
    int source = source_in(seen);
    while (!bits.compare_exchange_strong(seen, with_target(seen, source), order)) {
      if (in_one_step) source = source_in(seen);
    }
  }
  SIMT_FN int source_in(int all) { return all >> me() & 1; }
  SIMT_FN int with_target(int all, int source) {
    return (all & ~(1 << (targets + me()))) | source << (targets + me());
  }
};
