// Two warps search, and vote in each round whether one of them has found something: by a named
// barrier that reduces. A third warp has work of its own. `threads`: for how many threads the
// barrier is. `number`: which one it is. All three meet at the end.
#pragma once

#include <simt/simt.hpp>

template <unsigned number, unsigned threads>
struct bar_votes {
  int found_in = 0;

  SIMT_FN void search() {
    const unsigned warp = simt::warp_index();
    for (int round = 1; round <= 2; ++round) {
      const bool found = warp == 1 && round == 2;
      if (simt::bar_red_or(number, threads, found)) {
        if (warp == 0 && simt::lane_index() == 0) found_in = round;
        break;
      }
    }
  }

  SIMT_FN void operator()() {
    if (simt::warp_index() < 2) search();
    simt::syncthreads();
    simt::check(found_in == 2, "both have heard of it in the second round");
  }
};
