// Each round waits for its own phase.
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
  if (round > 0) wait_for(shared.empty, (round - 1) % 2);
  shared.tile = tile;
  simt::mbarrier_arrive(shared.full);
}

SIMT_FN inline int take(stage& shared, unsigned round) {
  wait_for(shared.full, round % 2);
  const int tile = shared.tile;
  simt::mbarrier_arrive(shared.empty);
  return tile;
}
