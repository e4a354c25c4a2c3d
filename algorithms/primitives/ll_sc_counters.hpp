// A counter that is raised by load-linked and store-conditional, again until the store succeeds.
#pragma once

#include "load_linked.hpp"

template <bool may_fail>
struct ll_sc_counter_of {
  static constexpr const char* spec = "counter";

  load_linked_of<64, may_fail> word;

  SIMT_FN void increment() {
    int now = word.ll();
    while (!word.sc(now + 1)) now = word.ll();
  }
  SIMT_FN int read() { return word.ll(); }
};
