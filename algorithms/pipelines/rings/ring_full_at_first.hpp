// The producer waits for the parity of the first phase, which no consumer ends.
#pragma once

#include "rings.hpp"

struct ring_full_at_first_rules : ring_rules {
  SIMT_FN static constexpr unsigned empty_parity(unsigned round, unsigned stages) {
    return round / stages % 2;
  }
};
struct ring_full_at_first : rings<2, ring_full_at_first_rules> {};
SIMT_SUBJECT(ring_full_at_first);
