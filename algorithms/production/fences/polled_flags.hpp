// A GPU (a block here) stores data and raises a flag for another one, where one warp polls the
// flag. A barrier of the warp follows, and other lanes read the data. `order`: that of the polling.
#pragma once

#include <simt/simt.hpp>

template <simt::memory_order order>
struct polled_flags {
  int data = 0;
  simt::atomic<int, simt::thread_scope_system> flag{0};

  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      if (simt::lane_index() == 0) {
        data = 6;
        flag.store(1, simt::memory_order_release);
      }
      return;
    }
    if (simt::lane_index() == 0) {
      while (flag.load(order) == 0) {
      }
    }
    simt::syncwarp();
    simt::check(data == 6, "the data is not there yet");
  }
};
