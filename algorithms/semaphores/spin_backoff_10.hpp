// The spin semaphore with backoff, with 10 permits, all but two of them taken beforehand: three
// threads then show what eleven would.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_10 : spin_semaphore<10, on_failure::back_off> {
  static constexpr int taken = simt::sized(8, 0);
  static constexpr int permits = 10 - taken;  // left

  SIMT_FN void init() {
    for (int i = 0; i < taken; ++i) acquire();
  }
};
SIMT_SUBJECT(spin_backoff_10);
