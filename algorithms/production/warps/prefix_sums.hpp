// The first lanes of a warp add up their values by shuffles, in a branch. `Mask` says whom the
// shuffles name.
#pragma once

#include <simt/simt.hpp>

struct names_all {
  SIMT_FN static unsigned before(bool) { return 0; }
  SIMT_FN static unsigned inside(unsigned) { return simt::full_mask; }
};
struct names_active {
  SIMT_FN static unsigned before(bool) { return 0; }
  SIMT_FN static unsigned inside(unsigned) { return simt::activemask(); }
};
struct names_voters {
  SIMT_FN static unsigned before(bool takes_part) {
    return simt::ballot(simt::full_mask, takes_part ? 1 : 0);
  }
  SIMT_FN static unsigned inside(unsigned voters) { return voters; }
};

template <class Mask>
struct prefix_sums {
  static constexpr unsigned some = 2;
  int result = 0;

  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    int value = static_cast<int>(lane) + 1;
    const unsigned voters = Mask::before(lane < some);
    if (lane < some) {
      const unsigned mask = Mask::inside(voters);
      value += simt::shfl_down(mask, value, 1, static_cast<int>(some));
      if (lane == 0) result = value;
    }
    simt::syncthreads();
  }

  bool check() const { return result == 3; }
};
