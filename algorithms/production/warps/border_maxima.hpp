// The greatest value of a row that is shorter than the warp. `all_shuffle`: lanes beyond the border
// take part in the shuffles, with the least value there is. Otherwise they skip them.
#pragma once

#include <simt/simt.hpp>

template <bool all_shuffle>
struct border_maxima {
  static constexpr unsigned row = 3;
  int result = 0;

  SIMT_FN void operator()() {
    const unsigned lane = simt::lane_index();
    const int lanes = static_cast<int>(simt::warp_size());
    int value = lane < row ? static_cast<int>(lane) + 1 : 0;
    if (all_shuffle || lane < row) {
      for (int distance = lanes / 2; distance > 0; distance /= 2) {
        value = simt::max(value, simt::shfl_down(simt::full_mask, value, distance, lanes));
      }
    }
    simt::syncthreads();
    if (lane == 0) result = value;
  }

  bool check() const { return result == static_cast<int>(row); }
};
