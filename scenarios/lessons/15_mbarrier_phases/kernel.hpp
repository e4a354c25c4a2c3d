// A place for one tile. `full`: it has been filled; `empty`: it has been read.
#pragma once

#include <simt/mbarrier.hpp>
#include <simt/simt.hpp>

struct stage {
  simt::mbarrier full;
  simt::mbarrier empty;
  int tile;
};

/// Until the phase of that parity is complete. The first phase has parity 0, the next one 1.
SIMT_FN inline void wait_for(simt::mbarrier& barrier, unsigned parity) {
  while (!simt::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

SIMT_FN inline void put(stage& shared, unsigned round, int tile) {
  if (round > 0) wait_for(shared.empty, 0);
  shared.tile = tile;
  simt::mbarrier_arrive(shared.full);
}

SIMT_FN inline int take(stage& shared, unsigned) {
  wait_for(shared.full, 0);
  const int tile = shared.tile;
  simt::mbarrier_arrive(shared.empty);
  return tile;
}
