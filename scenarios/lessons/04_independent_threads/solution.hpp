// The lanes meet between the stores and the loads.
#pragma once

#include <simt/simt.hpp>

struct values {
  int of[2];
};

SIMT_FN inline int exchange(values& shared, unsigned me, int mine) {
  shared.of[me] = mine;
  simt::syncwarp();
  return shared.of[1 - me];
}
