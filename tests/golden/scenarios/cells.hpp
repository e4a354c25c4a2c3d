// Variables of a block, with the names and the types that the source gives them.
#pragma once

#include <simt/simt.hpp>

enum class phase { empty, full };
struct cell {
  phase now;
  unsigned masks[2];
};

template <unsigned least>
struct block_shared_cells {
  double sum = 0;
  SIMT_FN void operator()() {
    cell& mine = simt::block_shared<cell>();
    auto& done = simt::block_shared<bool, struct done_tag>();
    if (simt::lane_index() == 0) {
      mine.now = phase::full;
      mine.masks[1] = 0x80000000u | least;
      sum = 1.5;
      done = true;
    }
    simt::syncwarp();
    mine.masks[0] = simt::lane_index();
  }
};
using block_shared_of_three = block_shared_cells<3>;
SIMT_SUBJECT(block_shared_of_three);
