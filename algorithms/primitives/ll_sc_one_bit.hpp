// Store-conditional with a tag of one bit: it comes back after two stores.
#pragma once

#include "load_linked.hpp"

struct ll_sc_one_bit : load_linked_of<2, false> {
  static constexpr const char* spec = "load_linked";
};
SIMT_SUBJECT(ll_sc_one_bit);
