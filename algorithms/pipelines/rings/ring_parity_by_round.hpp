// The parity follows from the round, and not from how often the ring was gone through.
#pragma once

#include "rings.hpp"

struct ring_parity_by_round_rules : ring_rules {
  SIMT_FN static constexpr unsigned full_parity(unsigned round, unsigned) { return round % 2; }
};
struct ring_parity_by_round : rings<2, ring_parity_by_round_rules> {};
SIMT_SUBJECT(ring_parity_by_round);
