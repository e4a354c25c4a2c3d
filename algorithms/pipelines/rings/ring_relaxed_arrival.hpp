// Arrivals do not release.
#pragma once

#include "rings.hpp"

struct ring_relaxed_arrival_rules : ring_rules {
  static constexpr simt::memory_order arriving = simt::memory_order_relaxed;
};
struct ring_relaxed_arrival : rings<2, ring_relaxed_arrival_rules> {};
SIMT_SUBJECT(ring_relaxed_arrival);
