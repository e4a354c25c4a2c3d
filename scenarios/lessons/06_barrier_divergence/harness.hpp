// Lane 0 prepares a number, and all lanes use it.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  int got[2]{};

  SIMT_FN void operator()() { got[simt::lane_index()] = prepared(simt::block_shared<number>()); }

  const char* check() const {
    return got[0] == 7 && got[1] == 7 ? nullptr : "a lane has not got the number";
  }
};
SIMT_SUBJECT(lesson);
