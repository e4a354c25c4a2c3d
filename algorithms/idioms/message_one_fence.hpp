// As `message_fences`, with a fence on the sending side only: nothing acquires.
#pragma once

#include <simt/simt.hpp>

struct message_one_fence {
  int value = 0;
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      value = 42;
      simt::__threadfence();
      ready.store(1, simt::memory_order_relaxed);
    } else {
      while (ready.load(simt::memory_order_relaxed) == 0) {
      }
      simt::check(value == 42, "the message is not there");
    }
  }
};
SIMT_SUBJECT(message_one_fence);
