// A bulk copy whose bytes an mbarrier counts. The producer says how many to expect; the second warp
// stands for the hardware that copies; the third one waits for the mbarrier and reads. `How`: what
// the producer does.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

struct announces_only {
  SIMT_FN static void begin(simt::mbarrier& full, unsigned bytes) {
    simt::mbarrier_expect_tx(full, bytes);
  }
};
struct announces_and_arrives {
  SIMT_FN static void begin(simt::mbarrier& full, unsigned bytes) {
    simt::mbarrier_arrive_expect_tx(full, bytes);
  }
};
struct arrives_only {
  SIMT_FN static void begin(simt::mbarrier& full, unsigned) { simt::mbarrier_arrive(full); }
};

template <class How>
struct announced_bytes {
  struct tile {
    simt::mbarrier full;
    simt::atomic<int, simt::thread_scope_block> asked;
    int value;
  };

  SIMT_FN void operator()() {
    tile& shared = simt::block_shared<tile>();
    const unsigned warp = simt::warp_index();
    if (warp == 0) simt::mbarrier_init(shared.full, 1);
    simt::syncthreads();
    if (warp == 0) {
      How::begin(shared.full, sizeof(int));
      shared.asked.store(1, simt::memory_order_release);
    } else if (warp == 1) {
      while (shared.asked.load(simt::memory_order_acquire) == 0) {
      }
      shared.value = 9;
      simt::atomic_thread_fence(simt::memory_order_release, simt::thread_scope_block);
      simt::mbarrier_complete_tx(shared.full, sizeof(int));
    } else {
      while (!simt::mbarrier_try_wait_parity(shared.full, 0)) {
      }
      simt::check(shared.value == 9, "the tile is not there yet");
    }
  }
};
