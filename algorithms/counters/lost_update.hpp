// An increment made of an atomic load and an atomic store: strong, and yet not atomic.
#pragma once

#include <simt/simt.hpp>

struct lost_update {
  simt::atomic<int, simt::thread_scope_device> counter{0};

  SIMT_FN void operator()() {
    const int seen = counter.load(simt::memory_order_relaxed);
    counter.store(seen + 1, simt::memory_order_relaxed);
  }

  const char* check(const simt::launch_shape& shape) const {
    return counter.host_value() == static_cast<int>(shape.clients) ? nullptr : "an update is lost";
  }
};
SIMT_SUBJECT(lost_update);
