// Nobody is told that the mbarriers are initialized.
#pragma once

#include "rings.hpp"

struct ring_untold_init_rules : ring_rules {
  static constexpr bool init_is_told = false;
};
struct ring_untold_init : rings<2, ring_untold_init_rules> {};
SIMT_SUBJECT(ring_untold_init);
