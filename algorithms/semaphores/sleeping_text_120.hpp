// The sleeping semaphore, read as its text has it, with 120 permits, all but one of them taken
// beforehand: two threads then show what 121 would.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_text_120 : sleeping_semaphore<120, turn_from_ticket> {
  static constexpr int permits = 1;  // left

  SIMT_FN void init() {
    for (int i = 0; i < 119; ++i) acquire();
  }
};
SIMT_SUBJECT(sleeping_text_120);
