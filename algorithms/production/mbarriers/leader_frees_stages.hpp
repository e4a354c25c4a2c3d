// A stage between a warp that fills it and warps that read it, by mbarriers. The first of the
// readers says for all of them that the stage is free. `meet`: they meet before that.
#pragma once

#include "waiting.hpp"

template <bool meet>
struct leader_frees_stages {
  static constexpr unsigned rounds = 3;
  struct stage {
    simt::mbarrier full;
    simt::mbarrier empty;
  };

  SIMT_FN void fill(stage& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      wait_for_phase(shared.empty, (round + 1) % 2);
      if (simt::lane_index() == 0) simt::mbarrier_arrive(shared.full);
    }
  }

  SIMT_FN void read(stage& shared) {
    const unsigned readers = simt::warp_count() - 1;
    for (unsigned round = 0; round < rounds; ++round) {
      simt::named_barrier_sync(1, readers);
      wait_for_phase(shared.full, round % 2);
      if constexpr (meet) simt::named_barrier_sync(2, readers);
      if (simt::warp_index() == 1 && simt::lane_index() == 0) simt::mbarrier_arrive(shared.empty);
    }
  }

  SIMT_FN void operator()() {
    stage& shared = simt::block_shared<stage>();
    if (simt::warp_index() == 0 && simt::lane_index() == 0) {
      simt::mbarrier_init(shared.full, 1);
      simt::mbarrier_init(shared.empty, 1);
    }
    simt::syncthreads();
    if (simt::warp_index() == 0) {
      fill(shared);
    } else {
      read(shared);
    }
  }
};
