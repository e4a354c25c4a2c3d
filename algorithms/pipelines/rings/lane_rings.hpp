// A ring of stages whose lanes all work: each lane of the producer warp fills a cell of the stage,
// and each lane of a consumer warp reads one. All lanes of a consumer wait for "full". `meet`: the
// lanes of a warp meet before one of them arrives for all.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

template <unsigned stages, bool meet>
struct lane_rings {
  static constexpr unsigned rounds = stages + 1, most_lanes = 32, most_consumers = 4;
  struct ring {
    simt::mbarrier full[stages];
    simt::mbarrier empty[stages];
    int cell[stages][most_lanes];
  };
  int sum[most_consumers][most_lanes]{};

  SIMT_FN static void wait(simt::mbarrier& barrier, unsigned parity) {
    while (!simt::mbarrier_try_wait_parity(barrier, parity)) {
    }
  }
  SIMT_FN static void arrive(simt::mbarrier& barrier) {
    if constexpr (meet) simt::syncwarp();
    if (simt::lane_index() == 0) simt::mbarrier_arrive(barrier);
  }

  SIMT_FN static void produce(ring& shared) {
    const unsigned lane = simt::lane_index();
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.empty[stage], (round / stages + 1) % 2);
      shared.cell[stage][lane] = static_cast<int>(round) + 1;
      arrive(shared.full[stage]);
    }
  }

  SIMT_FN void consume(ring& shared, unsigned consumer) {
    const unsigned lane = simt::lane_index();
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.full[stage], round / stages % 2);
      all += shared.cell[stage][lane];
      arrive(shared.empty[stage]);
    }
    sum[consumer][lane] = all;
  }

  SIMT_FN void operator()() {
    ring& shared = simt::block_shared<ring>();
    const unsigned warp = simt::warp_index();
    if (warp == 0 && simt::lane_index() == 0) {
      for (unsigned stage = 0; stage < stages; ++stage) {
        simt::mbarrier_init(shared.full[stage], 1);
        simt::mbarrier_init(shared.empty[stage], simt::warp_count() - 1);
      }
    }
    simt::syncthreads();
    if (warp == 0) {
      produce(shared);
    } else {
      consume(shared, warp - 1);
    }
  }

  const char* check() const {
    for (const auto& consumer : sum) {
      for (const int each : consumer) {
        if (each != 0 && each != static_cast<int>(rounds * (rounds + 1) / 2)) {
          return "a lane has missed a value, or read one twice";
        }
      }
    }
    return sum[0][0] != 0 ? nullptr : "nothing was consumed";
  }
};
