// The sleeping semaphore with 10 permits, all but two of them taken beforehand: three threads then
// show what eleven would.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_10 : sleeping_semaphore<10> {
  static constexpr int taken = simt::sized(8, 0);
  static constexpr int permits = 10 - taken;  // left

  SIMT_FN void init() {
    for (int i = 0; i < taken; ++i) acquire();
  }
};
SIMT_SUBJECT(sleeping_10);
