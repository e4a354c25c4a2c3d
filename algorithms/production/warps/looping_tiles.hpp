// Tiles of two lanes loop, each as often as its share of the work asks for, and shuffle in each
// round. `Mask` says whom a shuffle names.
#pragma once

#include <simt/simt.hpp>

struct whole_warp {
  SIMT_FN static unsigned of(unsigned) { return simt::full_mask; }
};
struct own_tile {
  SIMT_FN static unsigned of(unsigned tile) { return 3U << (2 * tile); }
};

template <class Mask>
struct looping_tiles {
  static constexpr unsigned tiles = 2;
  int sum[tiles]{};

  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    const unsigned tile = lane / 2;
    int all = 0;
    for (unsigned round = 0; round <= tile; ++round) {
      const int own = static_cast<int>(lane % 2) + 1;
      all += own + simt::shfl_xor(Mask::of(tile), own, 1, 2);
    }
    simt::syncthreads();
    if (lane % 2 == 0) sum[tile] = all;
  }

  bool check() const { return sum[0] == 3 && sum[1] == 6; }
};
