// As `tas`, with fences of block scope. The atomics reach all threads of the device, so the lock
// excludes them all; what was written under it reaches those of the block only.
#pragma once

#include <simt/simt.hpp>

struct tas_block_fences {
  int mutex = 0;

  SIMT_FN void lock() {
    while (simt::atomicCAS(&mutex, 0, 1) != 0) {
    }
    simt::__threadfence_block();
  }

  SIMT_FN void unlock() {
    simt::__threadfence_block();
    simt::atomicExch(&mutex, 0);
  }
};
SIMT_SUBJECT(tas_block_fences);
