// Each pair has a barrier of its own.
#pragma once

#include <simt/simt.hpp>

struct values {
  int of[4];
};

SIMT_FN inline int exchange(values& shared, unsigned me, int mine) {
  const int id = 1 + static_cast<int>(me / 2);
  shared.of[me] = mine;
  simt::named_barrier_sync(id, 2);
  const int got = shared.of[me ^ 1U];
  simt::named_barrier_sync(id, 2);
  return got;
}
