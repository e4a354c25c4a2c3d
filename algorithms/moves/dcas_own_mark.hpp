// The DCAS of Cederman's thesis (2011), with D24 as printed: who has not set a mark writes its own.
#pragma once

#include "double_word_objects.hpp"

struct dcas_own_mark : double_word_object<double_words<double_word_faults{.own_mark = true}>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_own_mark);
