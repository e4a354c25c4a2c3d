// A scheduler warp puts the number of a tile into a mailbox and says so by an mbarrier. Reader
// warps copy the number. `acknowledged`: they arrive at a second mbarrier, for which the scheduler
// waits before it uses the mailbox again.
#pragma once

#include "waiting.hpp"

template <bool acknowledged>
struct tile_mailboxes {
  static constexpr unsigned tiles = 2, room = 4;
  struct mailbox {
    simt::mbarrier ready;
    simt::mbarrier free;
    int tile;
  };
  int sum[room]{};

  SIMT_FN void schedule(mailbox& shared) {
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if constexpr (acknowledged) wait_for_phase(shared.free, (tile + 1) % 2);
      shared.tile = static_cast<int>(tile) + 1;
      simt::mbarrier_arrive(shared.ready);
    }
  }

  SIMT_FN void work(mailbox& shared) {
    int all = 0;
    for (unsigned tile = 0; tile < tiles; ++tile) {
      wait_for_phase(shared.ready, tile % 2);
      all += shared.tile;
      if constexpr (acknowledged) simt::mbarrier_arrive(shared.free);
    }
    sum[simt::warp_index()] = all;
  }

  SIMT_FN void operator()() {
    mailbox& shared = simt::block_shared<mailbox>();
    const bool first_lane = simt::lane_index() == 0;
    if (simt::warp_index() == 0 && first_lane) {
      simt::mbarrier_init(shared.ready, 1);
      simt::mbarrier_init(shared.free, simt::warp_count() - 1);
    }
    simt::syncthreads();
    if (!first_lane) return;
    if (simt::warp_index() == 0) {
      schedule(shared);
    } else {
      work(shared);
    }
  }

  bool check() const {
    for (const int each : sum) {
      if (each != 0 && each != 1 + 2) return false;
    }
    return true;
  }
};
