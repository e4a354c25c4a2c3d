// The hash table that a warp searches together. In the simulator it has two buckets of two slots.
#pragma once

#include "warp_table_of.hpp"

struct warp_table : warp_table_of<simt::sized(2, 8192), simt::sized(2, 32)> {
  static constexpr const char* spec = "set";
};
SIMT_SUBJECT(warp_table);
