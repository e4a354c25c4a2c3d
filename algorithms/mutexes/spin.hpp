// The spin mutex of Stuart and Owens (2011), algorithms 1 and 2. The loop of algorithm 2 tests
// `Locked`, which it does not define; it can only mean `Acquired`, which the body sets and nothing
// else reads (in algorithm 1 the flag that the body sets is called `Locked`). `unlock` stores 0,
// strongly.
#pragma once

#include <simt/simt.hpp>

struct spin {
  simt::atomic<int, simt::thread_scope_device> mutex{0};

  SIMT_FN void lock() {
    bool acquired = false;
    while (!acquired) {
      const int old_value = mutex.exchange(1, simt::memory_order_acquire);
      if (old_value == 0) acquired = true;
    }
  }

  SIMT_FN void unlock() { mutex.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(spin);
