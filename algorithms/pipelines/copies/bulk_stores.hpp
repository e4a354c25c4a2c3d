// Two warps fill a tile in block-shared memory. The first one sends it to global memory by a bulk
// copy, waits, and uses the tile again. `fences`: what has been written is ordered with the async
// proxy. `waits`: the copy has read all before the tile is written again. `arrives`: all of it is
// in global memory before another lane is told.
#pragma once

#include <simt/async.hpp>
#include <simt/simt.hpp>

template <bool fences, bool waits, bool arrives = true>
struct bulk_stores {
  struct tile {
    alignas(16) int value[4];
  };
  struct alignas(16) lines {
    int value[4];
  };
  lines sent{};
  simt::atomic<int, simt::thread_scope_device> told{0};

  SIMT_FN void operator()() {
    tile& shared = simt::block_shared<tile>();
    const unsigned warp = simt::warp_index();
    shared.value[warp] = 1 + static_cast<int>(warp);
    if constexpr (fences) simt::fence_proxy_async();
    simt::syncthreads();
    if (warp == 0) {
      simt::cp_async_bulk_store(&sent, &shared, sizeof(tile));
      simt::cp_async_bulk_commit_group();
      if constexpr (waits) simt::cp_async_bulk_wait_group_read<0>();
      shared.value[0] = 9;
      if constexpr (arrives) simt::cp_async_bulk_wait_group<0>();
      told.store(1, simt::memory_order_release);
    } else {
      while (told.load(simt::memory_order_acquire) == 0) {
      }
      simt::check(sent.value[0] == 1 && sent.value[1] == 2, "the tile is sent");
    }
  }
};
