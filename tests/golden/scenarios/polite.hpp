// Two lanes that both stand back for the other, again and again.
#pragma once

#include <simt/simt.hpp>

struct polite {
  simt::atomic<int> wants[2] = {0, 0};

  SIMT_FN void operator()() {
    const unsigned self = simt::warp_index();
    wants[self].store(1);
    while (wants[1 - self].load() != 0) {
      wants[self].store(0);
      wants[self].store(1);
    }
    wants[self].store(0);
  }
};
SIMT_SUBJECT(polite);
