// Consensus by test-and-set, for two threads: who loses takes the other's proposal. With three, who
// loses does not know who has won.
#pragma once

#include "consensus.hpp"

struct consensus_tas : proposals {
  word taken{0};

  SIMT_FN int propose(int value) {
    announce(value);
    return taken.exchange(1, simt::memory_order_seq_cst) == 0 ? value : other();
  }
};
SIMT_SUBJECT(consensus_tas);
