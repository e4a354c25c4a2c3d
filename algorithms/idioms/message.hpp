// Message passing: a plain value, and a flag that is released and acquired.
#pragma once

#include <simt/simt.hpp>

struct message {
  int value = 0;
  simt::atomic<int, simt::thread_scope_device> ready{0};

  SIMT_FN void operator()() {
    if (simt::thread_rank() == 0) {
      value = 42;
      ready.store(1, simt::memory_order_release);
    } else {
      while (ready.load(simt::memory_order_acquire) == 0) {
      }
      simt::check(value == 42, "the message is not there");
    }
  }
};
SIMT_SUBJECT(message);
