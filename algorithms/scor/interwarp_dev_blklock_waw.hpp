// As `norace_interwarp_dev-blklock_waw` of ScoR (Kamath et al., ScoRD: a scoped race detector for
// GPUs, ISCA 2020): two warps of a block write under a lock that one takes with device scope, one
// with block scope. No race.
#pragma once

#include <simt/simt.hpp>

struct interwarp_dev_blklock_waw {
  int data = 0;
  int lock = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      while (simt::atomicCAS(&lock, 0, 1) != 0) {
      }
      simt::__threadfence();
      data = 1;
      simt::__threadfence();
      simt::atomicExch(&lock, 0);
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
SIMT_SUBJECT(interwarp_dev_blklock_waw);
