// A leader publishes a bound in shared memory, all warps read it, and the leader publishes the next
// one. `reads_end`: a barrier ends the reading before that.
#pragma once

#include <simt/simt.hpp>

template <bool reads_end>
struct published_bounds {
  struct bound {
    int value;
  };
  static constexpr int rounds = 2;
  static constexpr unsigned room = 4;
  int sum[room]{};

  SIMT_FN void operator()() {
    int& shared = simt::block_shared<bound>().value;
    const unsigned warp = simt::warp_index();
    int own = 0;
    for (int round = 1; round <= rounds; ++round) {
      if (warp == 0) shared = round;
      simt::syncthreads();
      own += shared;
      if constexpr (reads_end) simt::syncthreads();
    }
    sum[warp] = own;
  }

  const char* check() const {
    for (const int each : sum) {
      if (each != 0 && each != 1 + 2) return "a bound was read too late";
    }
    return nullptr;
  }
};
