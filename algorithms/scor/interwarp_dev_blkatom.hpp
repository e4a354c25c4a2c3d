// As `norace_interwarp_dev-blkatom` of ScoR (Kamath et al., ScoRD: a scoped race detector for GPUs,
// ISCA 2020): two warps of a block write a word, one by an exchange of device scope, one of block
// scope. No race: each is in the scope of the other.
#pragma once

#include <simt/simt.hpp>

struct interwarp_dev_blkatom {
  int data = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      simt::atomicExch(&data, 1);
    } else {
      simt::atomicExch_block(&data, 2);
    }
  }
};
SIMT_SUBJECT(interwarp_dev_blkatom);
