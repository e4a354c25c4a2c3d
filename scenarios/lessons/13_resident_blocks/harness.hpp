// One block produces a number, and the other one waits for it. There is room for one block at a
// time.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  place where;
  int received = 0;

  SIMT_FN void operator()() {
    if (is_producer(where)) {
      where.number = 7;
      where.full.store(1, simt::memory_order_release);
    } else {
      while (where.full.load(simt::memory_order_acquire) == 0) {
      }
      received = where.number;
    }
  }

  const char* check() const { return received == 7 ? nullptr : "nobody has received the number"; }
};
SIMT_SUBJECT(lesson);
