// A warp that computes and a warp that loads meet at a numbered barrier after each tile. There is
// nothing to compute. `waits`: the computing warp waits at the barrier all the same; otherwise it
// only arrives, and is soon there again.
#pragma once

#include <simt/simt.hpp>

template <bool waits>
struct tile_rendezvous_of {
  static constexpr int tiles = 2;

  SIMT_FN void operator()() {
    const bool computes = simt::warp_index() == 0;
    for (int tile = 0; tile < tiles; ++tile) {
      if (computes && !waits) {
        simt::named_barrier_arrive(1, 2);
      } else {
        simt::named_barrier_sync(1, 2);
      }
    }
  }
};
