// A stage that two warps read. Each of them arrives at "empty" when it has read, and the producer
// fills the stage again. `expected`: how many arrivals "empty" counts. `arriving`: how many of the
// warps arrive.
#pragma once

#include "waiting.hpp"

template <unsigned expected, unsigned arriving>
struct release_counts {
  static constexpr unsigned rounds = 2, readers = 2;
  struct stage {
    simt::mbarrier full;
    simt::mbarrier empty;
    int value;
  };
  int sum[readers]{};

  SIMT_FN void produce(stage& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      wait_for_phase(shared.empty, (round + 1) % 2);
      shared.value = static_cast<int>(round) + 1;
      simt::mbarrier_arrive(shared.full);
    }
  }

  SIMT_FN void consume(stage& shared, unsigned reader) {
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      wait_for_phase(shared.full, round % 2);
      all += shared.value;
      if (reader < arriving) simt::mbarrier_arrive(shared.empty);
    }
    sum[reader] = all;
  }

  SIMT_FN void operator()() {
    stage& shared = simt::block_shared<stage>();
    const bool first_lane = simt::lane_index() == 0;
    if (simt::warp_index() == 0 && first_lane) {
      simt::mbarrier_init(shared.full, 1);
      simt::mbarrier_init(shared.empty, expected);
    }
    simt::syncthreads();
    if (!first_lane) return;
    if (simt::warp_index() == 0) {
      produce(shared);
    } else {
      consume(shared, simt::warp_index() - 1);
    }
  }

  bool check() const { return sum[0] == 1 + 2 && sum[1] == 1 + 2; }
};
