// A stage is empty when one consumer more has released it than there are.
#pragma once

#include "rings.hpp"

struct ring_one_too_few_rules : ring_rules {
  SIMT_FN static constexpr unsigned released_by(unsigned consumers) { return consumers + 1; }
};
struct ring_one_too_few : rings<2, ring_one_too_few_rules> {};
SIMT_SUBJECT(ring_one_too_few);
