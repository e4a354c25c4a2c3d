// Each warp goes through the blocks of keys before its row, and all warps meet after each block.
// `common`: all of them go through as many blocks as the last row needs.
#pragma once

#include <simt/simt.hpp>

template <bool common>
struct causal_blocks {
  static constexpr unsigned room = 4;
  int seen[room]{};

  SIMT_FN void operator()() {
    const unsigned warp = simt::warp_index();
    const unsigned warps = simt::warp_count();
    const unsigned needed = warp + 1;
    const unsigned rounds = common ? warps : needed;
    for (unsigned block = 0; block < rounds; ++block) {
      if (block < needed && simt::lane_index() == 0) seen[warp] = seen[warp] + 1;
      simt::named_barrier_sync(1, warps);
    }
  }

  const char* check() const {
    for (unsigned warp = 0; warp < room; ++warp) {
      const bool runs = seen[warp] != 0;
      if (runs && seen[warp] != static_cast<int>(warp) + 1) return "a warp has not seen its blocks";
    }
    return nullptr;
  }
};
