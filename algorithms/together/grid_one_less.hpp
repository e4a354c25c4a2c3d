// The last block calls the barrier of the grid once less than the others, and ends.
#pragma once

#include <simt/simt.hpp>

struct grid_one_less {
  SIMT_FN void operator()() {
    simt::grid_sync();
    if (simt::block_index() + 1 == simt::block_count()) return;
    simt::grid_sync();
  }
};
SIMT_SUBJECT(grid_one_less);
