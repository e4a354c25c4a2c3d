// The broken twin of `warp_table` whose insert goes on with the next slot when another one has
// taken its slot, and does not look for which key.
#pragma once

#include "warp_table_of.hpp"

struct warp_table_goes_on : warp_table_of<2, 2, lanes_together, false> {
  static constexpr const char* spec = "set";
};
SIMT_SUBJECT(warp_table_goes_on);
