// Split-K in order: blocks add their slices to one tile, one block after the other. A semaphore
// says whose turn it is. `Release`: how thread 0 hands on the turn when its block is done.
#pragma once

#include <simt/simt.hpp>

struct relaxed_handover {
  SIMT_FN static void all() { simt::syncthreads(); }
  static constexpr simt::memory_order order = simt::memory_order_relaxed;
};
struct early_fences {
  SIMT_FN static void all() {
    simt::__threadfence();
    simt::syncthreads();
  }
  static constexpr simt::memory_order order = simt::memory_order_relaxed;
};
struct released_handover {
  SIMT_FN static void all() { simt::syncthreads(); }
  static constexpr simt::memory_order order = simt::memory_order_release;
};
struct fenced_handover {
  SIMT_FN static void all() {
    simt::__threadfence();
    simt::syncthreads();
  }
  static constexpr simt::memory_order order = simt::memory_order_release;
};
struct unmet_handover {
  SIMT_FN static void all() {}
  static constexpr simt::memory_order order = simt::memory_order_release;
};

template <class Release>
struct serial_slices {
  static constexpr unsigned room = 4;
  int tile[room]{};
  simt::atomic<unsigned, simt::thread_scope_device> turn{0};

  SIMT_FN void operator()() {
    const unsigned thread = simt::thread_rank() % simt::block_size();
    const unsigned block = simt::block_index();
    if (thread == 0) {
      while (turn.load(simt::memory_order_acquire) != block) {
      }
    }
    simt::syncthreads();
    tile[thread] = tile[thread] + static_cast<int>(block) + 1;
    Release::all();
    if (thread == 0) turn.store(block + 1, Release::order);
  }

  const char* check(const simt::launch_shape& shape) const {
    const int all = static_cast<int>(shape.blocks * (shape.blocks + 1) / 2);
    for (unsigned thread = 0; thread < shape.threads / shape.blocks; ++thread) {
      if (tile[thread] != all) return "a slice is missing";
    }
    return nullptr;
  }
};
