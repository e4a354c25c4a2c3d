// The spin semaphore with backoff, with 120 permits, all but one of them taken beforehand: two
// threads then show what 121 would.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_120 : spin_semaphore<120, on_failure::back_off> {
  static constexpr int taken = simt::sized(119, 0);
  static constexpr int permits = 120 - taken;  // left

  SIMT_FN void init() {
    for (int i = 0; i < taken; ++i) acquire();
  }
};
SIMT_SUBJECT(spin_backoff_120);
