// A pair of warps meets at a numbered barrier: after both have stored, and after both have loaded.
#pragma once

#include <simt/simt.hpp>

struct values {
  int of[4];
};

SIMT_FN inline int exchange(values& shared, unsigned me, int mine) {
  const int id = 1;
  shared.of[me] = mine;
  simt::named_barrier_sync(id, 2);
  const int got = shared.of[me ^ 1U];
  simt::named_barrier_sync(id, 2);
  return got;
}
