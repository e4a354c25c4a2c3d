// A ring of stages between a producer warp and consumer warps. Each stage has two mbarriers:
// "full", at which the producer arrives, and "empty", at which each consumer arrives. Who goes
// through the ring for the n-th time waits for the n-th phase of each, that is for the parity n
// % 2. One lane of each warp does all of this, as where one thread starts bulk copies and matrix
// products.
//
// `How` is ring_rules, or changes one of them.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

struct ring_rules {
  static constexpr simt::memory_order arriving = simt::memory_order_release;
  static constexpr simt::memory_order waiting = simt::memory_order_acquire;
  static constexpr bool init_is_told = true;    ///< by a barrier behind the initialization
  static constexpr bool release_first = false;  ///< consumers release a stage before they read it

  SIMT_FN static constexpr unsigned released_by(unsigned consumers) { return consumers; }
  SIMT_FN static constexpr unsigned full_parity(unsigned round, unsigned stages) {
    return round / stages % 2;
  }
  /// At first all stages are empty, as if a phase before the first one had just ended.
  SIMT_FN static constexpr unsigned empty_parity(unsigned round, unsigned stages) {
    return (round / stages + 1) % 2;
  }
};

template <unsigned stages, class How = ring_rules>
struct rings {
  static constexpr unsigned rounds = stages + 1, most_consumers = 4;
  struct ring {
    simt::mbarrier full[stages];
    simt::mbarrier empty[stages];
    int value[stages];
  };
  int sum[most_consumers]{};

  SIMT_FN static void wait(simt::mbarrier& barrier, unsigned parity) {
    while (!simt::mbarrier_try_wait_parity(barrier, parity, How::waiting)) {
    }
  }

  SIMT_FN static void produce(ring& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.empty[stage], How::empty_parity(round, stages));
      shared.value[stage] = static_cast<int>(round) + 1;
      simt::mbarrier_arrive(shared.full[stage], 1, How::arriving);
    }
  }

  SIMT_FN void consume(ring& shared, unsigned consumer) {
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.full[stage], How::full_parity(round, stages));
      if constexpr (How::release_first) simt::mbarrier_arrive(shared.empty[stage]);
      all += shared.value[stage];
      if constexpr (!How::release_first) {
        simt::mbarrier_arrive(shared.empty[stage], 1, How::arriving);
      }
    }
    sum[consumer] = all;
  }

  SIMT_FN void operator()() {
    ring& shared = simt::block_shared<ring>();
    const unsigned warp = simt::warp_index();
    const bool elected = simt::lane_index() == 0;
    if (warp == 0 && elected) {
      for (unsigned stage = 0; stage < stages; ++stage) {
        simt::mbarrier_init(shared.full[stage], 1);
        simt::mbarrier_init(shared.empty[stage], How::released_by(simt::warp_count() - 1));
      }
    }
    if constexpr (How::init_is_told) simt::syncthreads();
    if (elected && warp == 0) produce(shared);
    if (elected && warp != 0) consume(shared, warp - 1);
  }

  const char* check() const {
    for (const int each : sum) {
      if (each != 0 && each != static_cast<int>(rounds * (rounds + 1) / 2)) {
        return "a consumer has missed a value, or read one twice";
      }
    }
    return sum[0] != 0 ? nullptr : "nothing was consumed";
  }
};
