// As `message`, with a flag of block scope: right within a block, wrong between two.
#pragma once

#include <simt/simt.hpp>

struct message_block_scope {
  int value = 0;
  simt::atomic<int, simt::thread_scope_block> ready{0};

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
SIMT_SUBJECT(message_block_scope);
