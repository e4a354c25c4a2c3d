// Store-conditional that may fail without a cause.
#pragma once

#include "load_linked.hpp"

struct ll_sc_weak : load_linked_of<64, true> {
  static constexpr const char* spec = "load_linked:weak=1";
};
SIMT_SUBJECT(ll_sc_weak);
