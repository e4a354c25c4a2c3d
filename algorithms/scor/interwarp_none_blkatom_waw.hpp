// As `race_interwarp_none-blkatom_waw` of ScoR (Kamath et al., ScoRD: a scoped race detector for
// GPUs, ISCA 2020): two warps of a block write a word, one by an exchange of block scope, one by a
// plain store. A race.
#pragma once

#include <simt/simt.hpp>

struct interwarp_none_blkatom_waw {
  int data = 0;

  SIMT_FN void operator()() {
    if (simt::warp_index() == 0) {
      simt::atomicExch_block(&data, 1);
    } else {
      data = 2;
    }
  }
};
SIMT_SUBJECT(interwarp_none_blkatom_waw);
