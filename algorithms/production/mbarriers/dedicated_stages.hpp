// Two loads of a round, one for each of two reader warps, go through a ring of stages by turns, and
// each stage has an mbarrier. The producer waits only for the warp that its load is for. `stages`:
// how many there are. Each load of a round needs a stage of its own.
#pragma once

#include "waiting.hpp"

template <unsigned stages>
struct dedicated_stages {
  static constexpr unsigned rounds = 2, readers = 2;
  struct ring {
    simt::mbarrier full[stages];
    simt::mbarrier empty[readers];
    int value[stages];
  };
  int sum[readers]{};

  SIMT_FN void produce(ring& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      for (unsigned reader = 0; reader < readers; ++reader) {
        const unsigned stage = (round * readers + reader) % stages;
        wait_for_phase(shared.empty[reader], (round + 1) % 2);
        shared.value[stage] = static_cast<int>(round) + 1;
        simt::mbarrier_arrive(shared.full[stage]);
      }
    }
  }

  SIMT_FN void consume(ring& shared, unsigned reader) {
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned load = round * readers + reader;
      wait_for_phase(shared.full[load % stages], load / stages % 2);
      all += shared.value[load % stages];
      simt::mbarrier_arrive(shared.empty[reader]);
    }
    sum[reader] = all;
  }

  SIMT_FN void operator()() {
    ring& shared = simt::block_shared<ring>();
    const bool first_lane = simt::lane_index() == 0;
    if (simt::warp_index() == 0 && first_lane) {
      for (unsigned stage = 0; stage < stages; ++stage) simt::mbarrier_init(shared.full[stage], 1);
      for (unsigned reader = 0; reader < readers; ++reader) {
        simt::mbarrier_init(shared.empty[reader], 1);
      }
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
