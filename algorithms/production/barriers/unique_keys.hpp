// The threads of a block go round until no two neighbours have the same key. They compare keys in
// shared memory, and count those that are alike. `two_barriers`: a barrier also ends the comparing.
#pragma once

#include <simt/simt.hpp>

template <bool two_barriers>
struct unique_keys {
  static constexpr unsigned room = 4;
  struct keys {
    int of[room];
  };

  SIMT_FN void operator()() {
    int(&of)[room] = simt::block_shared<keys>().of;
    const unsigned warp = simt::warp_index();
    const unsigned warps = simt::warp_count();
    int own = 0;
    bool alike = true;
    while (alike) {
      of[warp] = own;
      own = static_cast<int>(warp) + 1;
      simt::named_barrier_sync(1, warps);
      alike = false;
      for (unsigned other = 0; other + 1 < warps; ++other) {
        if (of[other] == of[other + 1]) alike = true;
      }
      if constexpr (two_barriers) simt::named_barrier_sync(1, warps);
    }
  }
};
