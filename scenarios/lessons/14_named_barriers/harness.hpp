// Warps 0 and 1 exchange values, and so do warps 2 and 3.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  int got[4]{};

  SIMT_FN void operator()() {
    values& shared = simt::block_shared<values>();
    const unsigned me = simt::warp_index();
    got[me] = exchange(shared, me, static_cast<int>(me) + 1);
  }

  const char* check() const {
    return got[0] == 2 && got[1] == 1 && got[2] == 4 && got[3] == 3 ? nullptr
                                                                    : "not the partner's value";
  }
};
SIMT_SUBJECT(lesson);
