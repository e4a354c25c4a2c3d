// The sleeping semaphore with 120 permits, all but one of them taken beforehand: two threads
// then show what 121 would.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_120 : sleeping_semaphore<120> {
  static constexpr int taken = simt::sized(119, 0);
  static constexpr int permits = 120 - taken;  // left

  SIMT_FN void init() {
    for (int i = 0; i < taken; ++i) acquire();
  }
};
SIMT_SUBJECT(sleeping_120);
