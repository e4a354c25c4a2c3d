// The broken twin of `warp_table` without a `syncwarp` where lanes come together. Under ptx a lane
// that looks for another need not see what that one has inserted.
#pragma once

#include "warp_table_of.hpp"

struct warp_table_no_barriers : warp_table_of<2, 2, lanes_together_of<false>> {
  static constexpr const char* spec = "set";
};
SIMT_SUBJECT(warp_table_no_barriers);
