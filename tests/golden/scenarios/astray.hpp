// A loop as long as the number that lanes wait for: trying large ones takes long.
#pragma once

#include <simt/simt.hpp>

struct astray {
  simt::atomic<unsigned, simt::thread_scope_device> n{0};
  SIMT_FN void operator()() {
    unsigned length = 0;
    do {
      length = n.load(simt::memory_order_relaxed);
      for (unsigned i = 0, sum = 0; i < length; ++i) {
        sum += i;
        asm volatile("" : "+r"(sum));
      }
    } while (length == 0);
  }
};
SIMT_SUBJECT(astray);
