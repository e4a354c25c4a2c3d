// An asynchronous copy into shared memory, by hand: the last warp stands for the hardware that
// copies. `waits`: the thread that asks for the copy waits for its end before the barrier. The
// barrier alone does not wait for copies.
#pragma once

#include <simt/simt.hpp>

template <bool waits>
struct async_tiles {
  struct tile {
    int value;
    simt::atomic<int, simt::thread_scope_block> asked;
    simt::atomic<int, simt::thread_scope_block> done;
  };
  int source = 5;

  SIMT_FN void operator()() {
    tile& shared = simt::block_shared<tile>();
    const unsigned users = simt::warp_count() - 1;
    if (simt::warp_index() == users) {
      while (shared.asked.load(simt::memory_order_acquire) == 0) {
      }
      shared.value = source;
      shared.done.store(1, simt::memory_order_release);
      return;
    }
    if (simt::warp_index() == 0) {
      shared.asked.store(1, simt::memory_order_release);
      if constexpr (waits) {
        while (shared.done.load(simt::memory_order_acquire) == 0) {
        }
      }
    }
    simt::named_barrier_sync(1, users);
    simt::check(shared.value == 5, "the tile is not there yet");
  }
};
