// One barrier, behind the branch.
#pragma once

#include <simt/simt.hpp>

struct number {
  int value;
};

SIMT_FN inline int prepared(number& shared) {
  if (simt::lane_index() == 0) shared.value = 7;
  simt::syncthreads();
  return shared.value;
}
