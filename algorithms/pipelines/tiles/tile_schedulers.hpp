// Persistent blocks take tiles from a counter of the grid: thread 0 takes the next one and tells
// the block by shared memory and a barrier. A second barrier ends the reading before the next one
// is told. One lane of each warp does the work of its warp.
//
// `How` is tile_rules, or changes one of them.
#pragma once

#include <simt/simt.hpp>

struct tile_rules {
  static constexpr bool is_told = true;    ///< a barrier stands between telling and reading
  static constexpr bool is_heard = true;   ///< a barrier stands between reading and telling
  static constexpr bool is_atomic = true;  ///< the counter goes up by one atomic step
  static constexpr bool one_takes = true;  ///< thread 0 takes the tile for all
};

template <class How = tile_rules>
struct tile_schedulers {
  static constexpr unsigned tiles = 3, most_warps = 4;
  static constexpr int never = 0, once = 1, often = 2;
  struct next {
    unsigned tile;
  };
  unsigned counter = 0;
  int done[tiles][most_warps]{};

  SIMT_FN unsigned take() {
    if constexpr (How::is_atomic) {
      return simt::atomicAdd(&counter, 1U);
    } else {
      using reference = simt::atomic_ref<unsigned, simt::thread_scope_device>;
      const unsigned tile = reference(counter).load(simt::memory_order_relaxed);
      reference(counter).store(tile + 1, simt::memory_order_relaxed);
      return tile;
    }
  }

  SIMT_FN void operator()() {
    unsigned& shared = simt::block_shared<next>().tile;
    const unsigned thread = simt::thread_rank() % simt::block_size();
    while (true) {
      unsigned tile = tiles;
      if constexpr (How::one_takes) {
        if (thread == 0) shared = take();
        if constexpr (How::is_told) simt::syncthreads();
        tile = shared;
        if constexpr (How::is_heard) simt::syncthreads();
      } else {
        tile = take();
      }
      if (tile >= tiles) return;
      if (simt::lane_index() != 0) continue;
      int& mark = done[tile][simt::warp_index()];
      mark = mark == never ? once : often;
    }
  }

  const char* check() const {
    for (const auto& tile : done) {
      for (unsigned warp = 0; warp < most_warps; ++warp) {
        // A warp that is not there does nothing.
        if (tile[warp] != done[0][warp] || tile[warp] == often) return "a tile was not done once";
      }
    }
    return done[0][0] == once ? nullptr : "nothing was done";
  }
};
