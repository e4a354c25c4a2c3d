// A barrier of the grid with a flag for each block: block 0 waits for the flags of all others, and
// then takes them down.
#pragma once

#include <simt/simt.hpp>

struct flag_barrier {
  static constexpr unsigned room = 4;
  simt::atomic<int, simt::thread_scope_device> flag[room];
  int before[room]{};
  int result[room]{};

  SIMT_FN void meet() {
    const unsigned blocks = simt::block_count();
    const unsigned own = simt::block_index();
    simt::syncthreads();
    if (simt::warp_index() == 0 && simt::lane_index() == 0) {
      if (own == 0) {
        for (unsigned other = 1; other < blocks; ++other) {
          while (flag[other].load(simt::memory_order_acquire) == 0) {
          }
        }
        for (unsigned other = 1; other < blocks; ++other) {
          flag[other].store(0, simt::memory_order_release);
        }
      } else {
        flag[own].store(1, simt::memory_order_release);
        while (flag[own].load(simt::memory_order_acquire) == 1) {
        }
      }
    }
    simt::syncthreads();
  }

  SIMT_FN void operator()() {
    const unsigned own = simt::block_index();
    const bool first = simt::warp_index() == 0 && simt::lane_index() == 0;
    if (first) before[own] = 1;
    meet();
    if (first) {
      int all = 0;
      for (unsigned each = 0; each < simt::block_count(); ++each) all += before[each];
      result[own] = all;
    }
  }

  const char* check(const simt::launch_shape& shape) const {
    for (unsigned block = 0; block < shape.blocks && block < room; ++block) {
      if (result[block] != static_cast<int>(shape.blocks)) return "a block went on too early";
    }
    return nullptr;
  }
};
SIMT_SUBJECT(flag_barrier);
