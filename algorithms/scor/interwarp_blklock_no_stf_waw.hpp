// As `race_interwarp_blklock-no-stf_waw` of ScoR (Kamath et al., ScoRD: a scoped race detector for
// GPUs, ISCA 2020): two warps of a block write under a lock of block scope, and the first has no
// fence behind taking it. A race, if it comes second.
#pragma once

#include <simt/simt.hpp>

struct interwarp_blklock_no_stf_waw {
  int data = 0;
  int lock = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      while (simt::atomicCAS_block(&lock, 0, 1) != 0) {
      }
      data = 1;
      simt::__threadfence_block();
      simt::atomicExch_block(&lock, 0);
    } else {
      while (simt::atomicCAS_block(&lock, 0, 1) != 0) {
      }
      simt::__threadfence_block();
      data = 2;
      simt::__threadfence_block();
      simt::atomicExch_block(&lock, 0);
    }
  }
};
SIMT_SUBJECT(interwarp_blklock_no_stf_waw);
