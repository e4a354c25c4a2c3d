// As `tas`, all of it with the scope of a block: right for threads of one block, wrong for others.
#pragma once

#include <simt/simt.hpp>

struct tas_block_scope {
  int mutex = 0;

  SIMT_FN void lock() {
    while (simt::atomicCAS_block(&mutex, 0, 1) != 0) {
    }
    simt::__threadfence_block();
  }

  SIMT_FN void unlock() {
    simt::__threadfence_block();
    simt::atomicExch_block(&mutex, 0);
  }
};
SIMT_SUBJECT(tas_block_scope);
