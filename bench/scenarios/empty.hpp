// One lane with one visible operation, which shows the time that warpcheck takes beside exploring.
#pragma once

#include <simt/simt.hpp>

struct empty {
  simt::atomic<int> flag{0};

  SIMT_FN void operator()() { flag.store(1, simt::memory_order_relaxed); }
};
SIMT_SUBJECT(empty);
