// The sleeping semaphore with 10 permits, all but two of them taken beforehand: three threads then
// show what eleven would.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_10 : sleeping_semaphore<10> {
  static constexpr int permits = 2;  // left

  SIMT_FN void init() {
    for (int i = 0; i < 8; ++i) acquire();
  }
};
SIMT_SUBJECT(sleeping_10);
