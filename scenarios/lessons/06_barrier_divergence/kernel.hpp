// Lane 0 stores 7, then all lanes load it. Each of them calls syncthreads once.
#pragma once

#include <simt/simt.hpp>

struct number {
  int value;
};

SIMT_FN inline int prepared(number& shared) {
  if (simt::lane_index() == 0) {
    shared.value = 7;
    simt::syncthreads();
  } else {
    simt::syncthreads();
  }
  return shared.value;
}
