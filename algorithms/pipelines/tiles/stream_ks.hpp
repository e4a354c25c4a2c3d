// Stream-K with a fix-up: a tile is the work of several blocks. All but the first one leave their
// part in memory and raise a flag; the first one waits for the flags and adds the parts to its own.
// One lane of each warp does the work of its warp.
//
// `How` is fix_up_rules, or changes one of them.
#pragma once

#include <simt/simt.hpp>

struct fix_up_rules {
  static constexpr simt::thread_scope scope = simt::thread_scope_device;
  static constexpr simt::memory_order raising = simt::memory_order_release;
  static constexpr simt::memory_order seeing = simt::memory_order_acquire;
  static constexpr bool waits = true;       ///< the first block waits for the flags
  static constexpr bool gathers = true;     ///< a block meets before thread 0 raises its flag
  static constexpr bool part_first = true;  ///< a block leaves its part before it raises the flag
  static constexpr bool last_adds = false;  ///< the last block adds up, and not the first one
};

template <class How = fix_up_rules>
struct stream_ks {
  static constexpr unsigned most_blocks = 4, most_warps = 4;
  int part[most_blocks][most_warps]{};
  simt::atomic<unsigned, How::scope> there[most_blocks];
  int tile[most_warps]{};

  SIMT_FN void leave_part(unsigned block) {
    if (simt::lane_index() == 0) part[block][simt::warp_index()] = static_cast<int>(block) + 1;
  }

  SIMT_FN void hand_in(unsigned block) {
    const bool leads = simt::thread_rank() % simt::block_size() == 0;
    if constexpr (How::part_first) leave_part(block);
    if constexpr (How::gathers) simt::syncthreads();
    if (leads) there[block].store(1, How::raising);
    if constexpr (!How::part_first) leave_part(block);
  }

  SIMT_FN void fix_up(unsigned block) {
    const unsigned warp = simt::warp_index();
    const bool leads = simt::thread_rank() % simt::block_size() == 0;
    int all = static_cast<int>(block) + 1;
    for (unsigned other = 0; other < simt::block_count(); ++other) {
      if (other == block) continue;
      if (How::waits && leads) {
        while (there[other].load(How::seeing) == 0) {
        }
      }
      simt::syncthreads();
      if (simt::lane_index() == 0) all += part[other][warp];
    }
    if (simt::lane_index() == 0) tile[warp] = all;
  }

  SIMT_FN void operator()() {
    const unsigned block = simt::block_index();
    if (block == (How::last_adds ? simt::block_count() - 1 : 0)) {
      fix_up(block);
    } else {
      hand_in(block);
    }
  }

  const char* check(const simt::launch_shape& shape) const {
    const int all = static_cast<int>(shape.blocks * (shape.blocks + 1) / 2);
    for (const int each : tile) {
      if (each != 0 && each != all) return "a part is missing";
    }
    return tile[0] != 0 ? nullptr : "nothing was added";
  }
};
