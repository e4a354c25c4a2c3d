// Consumers release a stage before they read it.
#pragma once

#include "rings.hpp"

struct ring_early_release_rules : ring_rules {
  static constexpr bool release_first = true;
};
struct ring_early_release : rings<2, ring_early_release_rules> {};
SIMT_SUBJECT(ring_early_release);
