// Grote, listing 3.3 to the letter, for four threads. Accesses are weak, and with these flags and
// this write thread 0 spins for ever, whatever the scheduler does.
#pragma once

#include <simt/simt.hpp>

struct grote_3_3 {
  int flag[4] = {1, 0, 0, 0};

  SIMT_FN void livelock(unsigned thread_id) {
    while (true) {
      if (flag[thread_id] != 0) {
        // BB1
      } else {
        // BB2
        return;
      }
    }
  }

  SIMT_FN void operator()() {
    const unsigned thread_id = simt::thread_rank();
    livelock(thread_id);
    if (thread_id < 3) flag[thread_id + 1] = 1;
  }
};
SIMT_SUBJECT(grote_3_3);
