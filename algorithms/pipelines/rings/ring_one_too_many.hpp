// A stage is empty when one consumer too few has released it.
#pragma once

#include "rings.hpp"

struct ring_one_too_many_rules : ring_rules {
  SIMT_FN static constexpr unsigned released_by(unsigned consumers) { return consumers - 1; }
};
struct ring_one_too_many : rings<2, ring_one_too_many_rules> {};
SIMT_SUBJECT(ring_one_too_many);
