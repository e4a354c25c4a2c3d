// Two lanes of a warp exchange values through shared memory.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  int got[2]{};

  SIMT_FN void operator()() {
    values& shared = simt::block_shared<values>();
    const unsigned me = simt::lane_index();
    got[me] = exchange(shared, me, static_cast<int>(me) + 1);
  }

  const char* check() const {
    return got[0] == 2 && got[1] == 1 ? nullptr : "a lane has not got the value of the other one";
  }
};
SIMT_SUBJECT(lesson);
