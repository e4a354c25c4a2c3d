// A fence before the count publishes the block's sum; one behind it makes the others' sums visible.
#pragma once

#include <simt/simt.hpp>

struct partial_sums {
  int of[2]{};
  unsigned counted = 0;
};

SIMT_FN inline void add_up(partial_sums& sums, unsigned block, int mine, int& total) {
  sums.of[block] = mine;
  simt::__threadfence();
  const bool last = simt::atomicAdd(&sums.counted, 1U) == simt::block_count() - 1;
  if (!last) return;
  simt::__threadfence();
  int all = 0;
  for (unsigned i = 0; i < simt::block_count(); ++i) all += sums.of[i];
  total = all;
}
