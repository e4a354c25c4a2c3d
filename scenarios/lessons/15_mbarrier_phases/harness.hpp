// Warp 0 puts two tiles into one place, one after the other; warp 1 adds them up.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  int sum = 0;

  SIMT_FN void operator()() {
    stage& shared = simt::block_shared<stage>();
    if (simt::warp_index() == 0) {
      simt::mbarrier_init(shared.full, 1);
      simt::mbarrier_init(shared.empty, 1);
    }
    simt::syncthreads();
    if (simt::warp_index() == 0) {
      for (unsigned round = 0; round < 2; ++round) put(shared, round, static_cast<int>(round) + 1);
    } else {
      for (unsigned round = 0; round < 2; ++round) sum += take(shared, round);
    }
  }

  const char* check() const { return sum == 1 + 2 ? nullptr : "a tile is missing, or came twice"; }
};
SIMT_SUBJECT(lesson);
