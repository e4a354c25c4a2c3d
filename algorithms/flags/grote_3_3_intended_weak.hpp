// grote_3_3_intended with weak accesses, as in the listing. A compiler may hoist the load out of
// the loop.
#pragma once

#include <simt/simt.hpp>

struct grote_3_3_intended_weak {
  int flag[4] = {0, 1, 1, 1};

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
    if (thread_id < 3) flag[thread_id + 1] = 0;
  }
};
SIMT_SUBJECT(grote_3_3_intended_weak);
