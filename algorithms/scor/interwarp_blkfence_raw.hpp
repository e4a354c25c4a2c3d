// As `norace_interwarp_blkfence_raw` of ScoR (Kamath et al., ScoRD: a scoped race detector for
// GPUs, ISCA 2020): a warp writes data, and sets a flag behind a fence of block scope; another one
// waits for the flag and reads. The origin calls it free of races, for it asks the writing side
// alone for a fence. For PTX it is a race: nothing acquires.
#pragma once

#include <simt/simt.hpp>

struct interwarp_blkfence_raw {
  int data = 0;
  int flag = 0;
  int seen = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      data = 1;
      simt::__threadfence_block();
      simt::atomicExch(&flag, 1);
    } else {
      while (simt::atomicExch(&flag, 0) == 0) {
      }
      seen = data;
    }
  }
};
SIMT_SUBJECT(interwarp_blkfence_raw);
