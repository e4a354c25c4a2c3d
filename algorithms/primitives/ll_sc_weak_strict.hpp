// Store-conditional that may fail without a cause, where that is not allowed.
#pragma once

#include "load_linked.hpp"

struct ll_sc_weak_strict : load_linked_of<64, true> {
  static constexpr const char* spec = "load_linked";
};
SIMT_SUBJECT(ll_sc_weak_strict);
