// All lanes of a warp wait until a stage is empty, and one of them fills it. `meet`: the lanes meet
// between the two.
#pragma once

#include "waiting.hpp"

template <bool meet>
struct elected_loads {
  static constexpr unsigned rounds = 2;
  struct stage {
    simt::mbarrier full;
    simt::mbarrier empty;
    int value;
  };
  int sum = 0;

  SIMT_FN void load(stage& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      wait_for_phase(shared.empty, (round + 1) % 2);
      if constexpr (meet) simt::syncwarp();
      if (simt::lane_index() == 0) {
        shared.value = static_cast<int>(round) + 1;
        simt::mbarrier_arrive(shared.full);
      }
    }
  }

  SIMT_FN void use(stage& shared) {
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      wait_for_phase(shared.full, round % 2);
      all += shared.value;
      simt::mbarrier_arrive(shared.empty);
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
    if (simt::warp_index() == 0) {
      load(shared);
    } else if (first_lane) {
      use(shared);
    }
  }

  bool check() const { return sum == 1 + 2; }
};
