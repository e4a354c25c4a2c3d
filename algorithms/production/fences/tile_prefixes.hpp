// A prefix sum of a grid in one pass (decoupled look-back): each block publishes the sum of its
// tile, looks back until it finds a prefix, and publishes its own. `How` says how values are stored
// and read, what stands between a value and its flag, and which tile a block has.
#pragma once

#include <simt/simt.hpp>

struct plain_values {
  static constexpr bool by_ticket = false;
  SIMT_FN static void store(int& where, int value) { where = value; }
  SIMT_FN static int load(int& where) { return where; }
  SIMT_FN static void fence() {}
};
struct relaxed_values {
  using reference = simt::atomic_ref<int, simt::thread_scope_device>;
  static constexpr bool by_ticket = false;
  SIMT_FN static void store(int& where, int value) {
    reference(where).store(value, simt::memory_order_relaxed);
  }
  SIMT_FN static int load(int& where) { return reference(where).load(simt::memory_order_relaxed); }
  SIMT_FN static void fence() {}
};
struct fenced_values : plain_values {
  SIMT_FN static void fence() { simt::__threadfence(); }
};
struct fenced_tickets : fenced_values {
  static constexpr bool by_ticket = true;
};

template <class How>
struct tile_prefixes {
  static constexpr unsigned room = 4;
  static constexpr int nothing = 0, has_sum = 1, has_prefix = 2;
  simt::atomic<int, simt::thread_scope_device> flag[room];
  int sum[room]{};
  int prefix[room]{};
  int result[room]{};
  unsigned tickets = 0;

  SIMT_FN int look_back(unsigned tile) {
    int before = 0;
    while (tile-- > 0) {
      int seen = nothing;
      while (seen == nothing) seen = flag[tile].load(simt::memory_order_relaxed);
      How::fence();
      if (seen == has_prefix) return before + How::load(prefix[tile]);
      before += How::load(sum[tile]);
    }
    return before;
  }

  SIMT_FN void operator()() {
    const unsigned tile = How::by_ticket ? simt::atomicAdd(&tickets, 1U) : simt::block_index();
    const int own = static_cast<int>(tile) + 1;
    if (tile > 0) {
      How::store(sum[tile], own);
      How::fence();
      flag[tile].store(has_sum, simt::memory_order_relaxed);
    }
    const int all = look_back(tile) + own;
    How::store(prefix[tile], all);
    How::fence();
    flag[tile].store(has_prefix, simt::memory_order_relaxed);
    result[tile] = all;
  }

  const char* check(const simt::launch_shape& shape) const {
    int all = 0;
    for (unsigned tile = 0; tile < shape.blocks && tile < room; ++tile) {
      all += static_cast<int>(tile) + 1;
      if (result[tile] != all) return "a prefix is wrong";
    }
    return nullptr;
  }
};
