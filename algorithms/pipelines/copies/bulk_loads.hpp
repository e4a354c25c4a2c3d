// A producer loads a tile into block-shared memory by a bulk copy that ends at an mbarrier. The
// consumer waits for its phase, and reads. `announced`: how many bytes the producer expects.
// `waits`: the consumer waits. `fences`: the mbarrier is initialized for the async proxy as well.
#pragma once

#include <simt/async.hpp>
#include <simt/simt.hpp>

template <unsigned announced, bool waits, bool fences = true>
struct bulk_loads {
  struct tile {
    alignas(16) int value[4];
    simt::mbarrier full;
  };
  struct alignas(16) lines {
    int value[4];
  };
  lines source{{3, 4, 5, 6}};

  SIMT_FN void operator()() {
    tile& shared = simt::block_shared<tile>();
    const bool produces = simt::warp_index() == 0;
    if (produces) {
      simt::mbarrier_init(shared.full, 1);
      if constexpr (fences) simt::fence_proxy_async();
    }
    simt::syncthreads();
    if (produces) {
      if constexpr (announced == 0) {
        simt::mbarrier_arrive(shared.full);
      } else {
        simt::mbarrier_arrive_expect_tx(shared.full, announced);
      }
      simt::cp_async_bulk_load(&shared.value, &source, 16, shared.full);
    } else {
      if constexpr (waits) {
        while (!simt::mbarrier_try_wait_parity(shared.full, 0)) {
        }
      }
      simt::check(shared.value[3] == 6, "the tile is loaded");
    }
  }
};
