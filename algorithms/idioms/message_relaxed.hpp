// As `message`, with a relaxed flag: nothing orders the value with it.
#pragma once

#include <simt/simt.hpp>

struct message_relaxed {
  int value = 0;
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      value = 42;
      ready.store(1, simt::memory_order_relaxed);
    } else {
      while (ready.load(simt::memory_order_relaxed) == 0) {
      }
      simt::check(value == 42, "the message is not there");
    }
  }
};
SIMT_SUBJECT(message_relaxed);
