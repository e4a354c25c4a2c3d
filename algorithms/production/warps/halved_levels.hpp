// Lanes of a warp hand values down from level to level through shared memory. `Between` stands
// between two levels.
#pragma once

#include <simt/simt.hpp>

struct lockstep_alone {
  SIMT_FN static void pass() {}
};
struct warp_barrier {
  SIMT_FN static void pass() { simt::syncwarp(); }
};

template <class Between>
struct halved_levels {
  struct cells {
    int at[32];
  };
  int result = 0;

  SIMT_FN void operator()() {
    int(&at)[32] = simt::block_shared<cells>().at;
    const unsigned lane = simt::lane_index();
    at[lane] = static_cast<int>(lane) + 1;
    Between::pass();
    for (unsigned half = simt::warp_size() / 2; half > 0; half /= 2) {
      if (lane < half) at[lane] = at[lane] + at[lane + half];
      Between::pass();
    }
    if (lane == 0) result = at[0];
  }

  bool check(const simt::launch_shape& shape) const {
    return result == static_cast<int>(shape.threads * (shape.threads + 1) / 2);
  }
};
