// Store-conditional without a tag: it succeeds where the value has come back (ABA).
#pragma once

#include "load_linked.hpp"

struct ll_sc_no_tag : load_linked_of<1, false> {
  static constexpr const char* spec = "load_linked";
};
SIMT_SUBJECT(ll_sc_no_tag);
