// Two pairs of warps exchange values, each pair by a numbered barrier. `own_ids`: each pair has a
// barrier of its own; otherwise both have the same one.
#pragma once

#include <simt/simt.hpp>

template <bool own_ids>
struct pair_exchanges {
  static constexpr unsigned warps = 4;
  struct values {
    int of[warps];
  };
  int got[warps]{};

  SIMT_FN void operator()() {
    values& shared = simt::block_shared<values>();
    const unsigned warp = simt::warp_index();
    const int id = own_ids ? 1 + static_cast<int>(warp / 2) : 1;
    shared.of[warp] = static_cast<int>(warp) + 1;
    simt::named_barrier_sync(id, 2);
    got[warp] = shared.of[warp ^ 1U];
    simt::named_barrier_sync(id, 2);
  }

  const char* check() const {
    for (unsigned warp = 0; warp < warps; ++warp) {
      if (got[warp] != static_cast<int>(warp ^ 1U) + 1) return "not the value of the partner";
    }
    return nullptr;
  }
};
