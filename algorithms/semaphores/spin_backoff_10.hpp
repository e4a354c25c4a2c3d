// The spin semaphore with backoff, with 10 permits, all but two of them taken beforehand: three
// threads then show what eleven would.
#pragma once

#include "spin_semaphore.hpp"

struct spin_backoff_10 : spin_semaphore<10, on_failure::back_off> {
  static constexpr int permits = 2;  // left

  SIMT_FN void init() {
    for (int i = 0; i < 8; ++i) acquire();
  }
};
SIMT_SUBJECT(spin_backoff_10);
