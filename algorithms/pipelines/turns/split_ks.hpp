// Split-K in order: each block adds its share of the sum to one tile, when the semaphore says that
// it is its turn. So the order of the additions is always the same. One lane of each warp adds for
// its warp.
//
// `How` is turn_rules, or changes one of them.
#pragma once

#include <simt/simt.hpp>

struct turn_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_device;
  static constexpr simt::memory_order waiting = simt::memory_order_acquire;
  static constexpr simt::memory_order leaving = simt::memory_order_release;
  static constexpr bool waits = true;    ///< a block waits for its turn
  static constexpr bool gathers = true;  ///< a block meets before it hands on the turn
  static constexpr unsigned first = 0;   ///< the block whose turn is first
};

template <class How = turn_rules>
struct split_ks {
  static constexpr unsigned most_warps = 4;
  int tile[most_warps]{};
  simt::atomic<unsigned, How::scope> turn{How::first};

  SIMT_FN void operator()() {
    const unsigned thread = simt::thread_rank() % simt::block_size();
    const unsigned block = simt::block_index();
    if (How::waits && thread == 0) {
      while (turn.load(How::waiting) != block) {
      }
    }
    simt::syncthreads();
    if (simt::lane_index() == 0) {
      int& own = tile[simt::warp_index()];
      own = own * 2 + static_cast<int>(block) + 1;
    }
    if constexpr (How::gathers) simt::syncthreads();
    if (thread == 0) turn.store(block + 1, How::leaving);
  }

  const char* check(const simt::launch_shape& shape) const {
    int in_order = 0;
    for (unsigned block = 0; block < shape.blocks; ++block) {
      in_order = in_order * 2 + static_cast<int>(block) + 1;
    }
    for (const int each : tile) {
      if (each != 0 && each != in_order) return "not the sum in order";
    }
    return tile[0] != 0 ? nullptr : "nothing was added";
  }
};
