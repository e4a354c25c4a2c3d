// Lanes say what they see. Two of them may be first.
#pragma once

#include <simt/simt.hpp>

struct prints {
  simt::atomic<int> turn{0};
  simt::atomic<int> first{-1};

  SIMT_FN void operator()() {
    const int rank = static_cast<int>(simt::thread_rank());
    simt::printf("here is %d\n", rank);
    const int seen = turn.load();
    if (seen == 0) {
      simt::printf("%s: %d at %p\n", "first", rank, static_cast<void*>(&first));
      simt::check(first.exchange(rank) == -1, "only one lane may be first");
    }
    turn.store(seen + 1);
    simt::printf("turn is over\n");
  }
};
SIMT_SUBJECT(prints);
