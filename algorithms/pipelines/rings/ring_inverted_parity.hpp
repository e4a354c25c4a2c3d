// Consumers wait for the parity of the phase before.
#pragma once

#include "rings.hpp"

struct ring_inverted_parity_rules : ring_rules {
  SIMT_FN static constexpr unsigned full_parity(unsigned round, unsigned stages) {
    return (round / stages + 1) % 2;
  }
};
struct ring_inverted_parity : rings<2, ring_inverted_parity_rules> {};
SIMT_SUBJECT(ring_inverted_parity);
