// The last lane writes behind the end of an array.
#pragma once

#include <simt/simt.hpp>

struct overrun {
  simt::device_array<int> slots{"slots"};

  SIMT_FN void operator()() { slots[simt::thread_rank() + 1] = 1; }
};
SIMT_SUBJECT(overrun);
