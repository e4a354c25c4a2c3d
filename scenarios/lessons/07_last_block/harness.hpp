// Each block has a partial sum. The block that comes last adds them up.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  partial_sums sums;
  int total = 0;

  SIMT_FN void operator()() {
    const unsigned block = simt::block_index();
    add_up(sums, block, static_cast<int>(block) + 1, total);
  }

  const char* check() const { return total == 1 + 2 ? nullptr : "the total is wrong"; }
};
SIMT_SUBJECT(lesson);
