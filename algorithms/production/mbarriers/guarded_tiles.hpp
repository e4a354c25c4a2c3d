// A persistent block goes through tiles, and loads some of the steps of each into a stage that an
// mbarrier guards. The parity follows from a counter of the loads. `kept`: the counter goes on from
// tile to tile; otherwise it begins anew for each.
#pragma once

#include "waiting.hpp"

template <bool kept>
struct guarded_tiles {
  static constexpr unsigned tiles = 2, loads = 1;
  struct stage {
    simt::mbarrier full;
    simt::mbarrier empty;
    int value;
  };
  int sum = 0;

  SIMT_FN void produce(stage& shared) {
    unsigned load = 0;
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if constexpr (!kept) load = 0;
      for (unsigned step = 0; step < loads; ++step, ++load) {
        wait_for_phase(shared.empty, (load + 1) % 2);
        shared.value = static_cast<int>(tile) + 1;
        simt::mbarrier_arrive(shared.full);
      }
    }
  }

  SIMT_FN void consume(stage& shared) {
    unsigned load = 0;
    int all = 0;
    for (unsigned tile = 0; tile < tiles; ++tile) {
      if constexpr (!kept) load = 0;
      for (unsigned step = 0; step < loads; ++step, ++load) {
        wait_for_phase(shared.full, load % 2);
        all += shared.value;
        simt::mbarrier_arrive(shared.empty);
      }
    }
    sum = all;
  }

  SIMT_FN void operator()() {
    stage& shared = simt::block_shared<stage>();
    const bool first_lane = simt::lane_index() == 0;
    if (simt::warp_index() == 0 && first_lane) {
      simt::mbarrier_init(shared.full, 1);
      simt::mbarrier_init(shared.empty, 1);
    }
    simt::syncthreads();
    if (!first_lane) return;
    if (simt::warp_index() == 0) {
      produce(shared);
    } else {
      consume(shared);
    }
  }

  bool check() const { return sum == 1 + 2; }
};
