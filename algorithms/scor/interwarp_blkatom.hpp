// As `norace_interwarp_blkatom` of ScoR (Kamath et al., ScoRD: a scoped race detector for GPUs,
// ISCA 2020): two warps of a block write a word by exchanges of block scope. No race: each is in
// the scope of the other.
#pragma once

#include <simt/simt.hpp>

struct interwarp_blkatom {
  int data = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      simt::atomicExch_block(&data, 1);
    } else {
      simt::atomicExch_block(&data, 2);
    }
  }
};
SIMT_SUBJECT(interwarp_blkatom);
