// Load-linked and store-conditional by compare-and-swap and a tag.
#pragma once

#include "load_linked.hpp"

struct ll_sc : load_linked_of<64, false> {
  static constexpr const char* spec = "load_linked";
};
SIMT_SUBJECT(ll_sc);
