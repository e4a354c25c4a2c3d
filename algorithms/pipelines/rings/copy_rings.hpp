// A ring of two stages that are filled by bulk copies. The producer announces the bytes of a copy
// and arrives, and asks for the copy. The second warp stands for the hardware that copies: it
// completes the bytes. `Announce`: how many bytes the producer announces.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

template <unsigned announced>
struct copy_rings {
  static constexpr unsigned stages = 2, rounds = 3, bytes = sizeof(int);
  struct ring {
    simt::mbarrier full[stages];
    simt::mbarrier empty[stages];
    simt::atomic<unsigned, simt::thread_scope_block> asked;
    int value[stages];
  };
  int sum = 0;

  SIMT_FN static void wait(simt::mbarrier& barrier, unsigned parity) {
    while (!simt::mbarrier_try_wait_parity(barrier, parity)) {
    }
  }

  SIMT_FN static void produce(ring& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.empty[stage], (round / stages + 1) % 2);
      if constexpr (announced == 0) {
        simt::mbarrier_arrive(shared.full[stage]);
      } else {
        simt::mbarrier_arrive_expect_tx(shared.full[stage], announced);
      }
      shared.asked.store(round + 1, simt::memory_order_release);
    }
  }

  SIMT_FN static void copy(ring& shared) {
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      while (shared.asked.load(simt::memory_order_acquire) <= round) {
      }
      shared.value[stage] = static_cast<int>(round) + 1;
      simt::atomic_thread_fence(simt::memory_order_release, simt::thread_scope_block);
      simt::mbarrier_complete_tx(shared.full[stage], bytes);
    }
  }

  SIMT_FN void consume(ring& shared) {
    int all = 0;
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned stage = round % stages;
      wait(shared.full[stage], round / stages % 2);
      all += shared.value[stage];
      simt::mbarrier_arrive(shared.empty[stage]);
    }
    sum = all;
  }

  SIMT_FN void operator()() {
    ring& shared = simt::block_shared<ring>();
    const unsigned warp = simt::warp_index();
    const bool elected = simt::lane_index() == 0;
    if (warp == 0 && elected) {
      for (unsigned stage = 0; stage < stages; ++stage) {
        simt::mbarrier_init(shared.full[stage], 1);
        simt::mbarrier_init(shared.empty[stage], 1);
      }
    }
    simt::syncthreads();
    if (elected && warp == 0) produce(shared);
    if (elected && warp == 1) copy(shared);
    if (elected && warp == 2) consume(shared);
  }

  bool check() const { return sum == 1 + 2 + 3; }
};
