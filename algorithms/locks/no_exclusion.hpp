// A lock that does not exclude: between the test and the set another thread may test too. The
// counter is accessed strongly, so there is no race, only a lost increment.
#pragma once

#include <simt/simt.hpp>

struct no_exclusion {
  simt::atomic<int, simt::thread_scope_device> held{0};
  simt::atomic<int, simt::thread_scope_device> counter{0};

  SIMT_FN void operator()() {
    while (held.load(simt::memory_order_acquire) != 0) {
    }
    held.store(1, simt::memory_order_relaxed);
    const int seen = counter.load(simt::memory_order_relaxed);
    counter.store(seen + 1, simt::memory_order_relaxed);
    held.store(0, simt::memory_order_release);
  }

  const char* check(const simt::launch_shape& shape) const {
    return counter.host_value() == static_cast<int>(shape.clients) ? nullptr
                                                                   : "an increment is lost";
  }
};
SIMT_SUBJECT(no_exclusion);
