// Consensus by a swap of two words in memory, for any number of threads (Herlihy, 1991): the common
// word has a token, and each thread swaps the common word with its own. The first one gets the
// token. A GPU has no such swap. Here the words are bits of one word, and a CAS swaps two of them.
#pragma once

#include "consensus.hpp"

struct consensus_swap : proposals {
  word bits{1};  // bit 0 is the common word; bit 1 + i that of thread i

  SIMT_FN int propose(int value) {
    announce(value);
    int seen = bits.load(simt::memory_order_seq_cst);
    while (!bits.compare_exchange_strong(seen, swapped(seen), simt::memory_order_seq_cst)) {
    }
    int first = 0;
    while ((bits.load(simt::memory_order_seq_cst) >> (1 + first) & 1) == 0) ++first;
    return proposed[first].load(simt::memory_order_seq_cst);
  }

 private:
  SIMT_FN int swapped(int all) {
    const int common = all & 1;
    const int own = all >> (1 + me()) & 1;
    return (all & ~(1 | 1 << (1 + me()))) | own | common << (1 + me());
  }
};
SIMT_SUBJECT(consensus_swap);
