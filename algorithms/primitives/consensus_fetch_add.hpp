// Consensus by fetch-and-add, for two threads: who is second takes the other's proposal. With
// three, who comes later does not know who was first.
#pragma once

#include "consensus.hpp"

struct consensus_fetch_add : proposals {
  word turn{0};

  SIMT_FN int propose(int value) {
    announce(value);
    return turn.fetch_add(1, simt::memory_order_seq_cst) == 0 ? value : other();
  }
};
SIMT_SUBJECT(consensus_fetch_add);
