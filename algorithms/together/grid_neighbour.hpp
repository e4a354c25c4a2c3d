// Each block stores a value, all blocks meet at a barrier of the grid, and each reads its
// neighbour's.
#pragma once

#include <simt/simt.hpp>

struct grid_neighbour {
  simt::device_array<int> cells{"cells"};

  SIMT_FN void operator()() {
    const unsigned me = simt::block_index();
    const unsigned other = (me + 1) % simt::block_count();
    if (simt::thread_rank() % simt::block_size() == 0) cells[me] = static_cast<int>(me) + 1;
    simt::grid_sync();
    simt::check(cells[other] == static_cast<int>(other) + 1, "the neighbour has stored its value");
  }
};
SIMT_SUBJECT(grid_neighbour);
