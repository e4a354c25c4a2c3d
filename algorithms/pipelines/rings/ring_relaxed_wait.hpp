// Waits do not acquire.
#pragma once

#include "rings.hpp"

struct ring_relaxed_wait_rules : ring_rules {
  static constexpr simt::memory_order waiting = simt::memory_order_relaxed;
};
struct ring_relaxed_wait : rings<2, ring_relaxed_wait_rules> {};
SIMT_SUBJECT(ring_relaxed_wait);
