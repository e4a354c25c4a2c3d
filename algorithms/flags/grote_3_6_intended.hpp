// Grote, listing 3.6 as its text means it, for four threads: grote_3_3_intended with two syncwarps.
// In each round every thread that has not left meets the others at one of the two.
#pragma once

#include <simt/simt.hpp>

struct grote_3_6_intended {
  volatile int flag[4] = {0, 1, 1, 1};

  SIMT_FN void livelock(unsigned thread_id) {
    while (true) {
      if (flag[thread_id] != 0) {
        simt::syncwarp();
      } else {
        // BB2
        return;
      }
    }
  }

  SIMT_FN void operator()() {
    const unsigned thread_id = simt::thread_rank();
    livelock(thread_id);
    if (thread_id < 3) flag[thread_id + 1] = 0;
    simt::syncwarp();
  }
};
SIMT_SUBJECT(grote_3_6_intended);
