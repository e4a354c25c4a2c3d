// Each thread waits for the one before it, then lets the next one go. For at most 64 threads.
#pragma once

#include <simt/simt.hpp>

struct flag_chain {
  simt::atomic<int, simt::thread_scope_device> flag[65] = {1};

  SIMT_FN void operator()() {
    const unsigned me = simt::thread_rank();
    while (flag[me].load(simt::memory_order_acquire) == 0) {
    }
    flag[me + 1].store(1, simt::memory_order_release);
  }

  const char* check(const simt::launch_shape& shape) const {
    return flag[shape.threads].host_value() == 1 ? nullptr : "the chain did not reach its end";
  }
};
SIMT_SUBJECT(flag_chain);
