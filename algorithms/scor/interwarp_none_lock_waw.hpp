// As `race_interwarp_none-lock_waw` of ScoR (Kamath et al., ScoRD: a scoped race detector for GPUs,
// ISCA 2020): two warps of a block write a word, one under a lock of device scope, one without the
// lock. A race.
#pragma once

#include <simt/simt.hpp>

struct interwarp_none_lock_waw {
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
      data = 2;
    }
  }
};
SIMT_SUBJECT(interwarp_none_lock_waw);
