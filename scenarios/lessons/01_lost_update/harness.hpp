// Two threads vote; at the end both votes must have been counted.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  int votes = 0;

  SIMT_FN void operator()() { vote(votes); }

  const char* check(const simt::launch_shape& shape) const {
    return votes == static_cast<int>(shape.threads) ? nullptr : "a vote was lost";
  }
};
SIMT_SUBJECT(lesson);
