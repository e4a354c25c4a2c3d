// Consensus by compare-and-swap, for any number of threads.
#pragma once

#include "consensus.hpp"

struct consensus_cas {
  using operations = simt::operation_list<simt_operation_propose>;
  static constexpr const char* spec = "consensus";

  proposals::word decided{0};

  SIMT_FN int propose(int value) {
    int seen = 0;
    return decided.compare_exchange_strong(seen, value, simt::memory_order_acq_rel) ? value : seen;
  }
};
SIMT_SUBJECT(consensus_cas);
