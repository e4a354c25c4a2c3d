// As `message_relaxed`, with a relaxed value. There is no race any more, and the old value may
// still be read.
#pragma once

#include <simt/simt.hpp>

struct message_relaxed_value {
  simt::atomic<int, simt::thread_scope_device> value{0};
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      value.store(42, simt::memory_order_relaxed);
      ready.store(1, simt::memory_order_relaxed);
    } else {
      while (ready.load(simt::memory_order_relaxed) == 0) {
      }
      simt::check(value.load(simt::memory_order_relaxed) == 42, "the message is not there");
    }
  }
};
SIMT_SUBJECT(message_relaxed_value);
