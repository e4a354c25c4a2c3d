// Lanes of even rank take a lock and count; those of odd rank wait for them, in a `syncwarp` or a
// `syncthreads` behind the branch, and look at what was counted. For one block with an even number
// of threads.
#pragma once

#include <simt/simt.hpp>

template <class Lock>
struct some_lanes {
  Lock lock;
  int counter = 0;

  SIMT_FN bool count() {
    const bool counts = simt::thread_rank() % 2 == 0;
    if (counts) {
      lock.lock();
      ++counter;
      lock.unlock();
    }
    return counts;
  }
  SIMT_FN void look() {
    simt::check(counter == static_cast<int>(simt::block_size()) / 2,
                "the barrier let a lane through before the others had counted");
  }
};
