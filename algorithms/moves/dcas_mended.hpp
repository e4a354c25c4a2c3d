// The DCAS of Cederman's thesis (2011), algorithm 12, with D22 and D24 mended.
#pragma once

#include "double_word_objects.hpp"

struct dcas_mended : double_word_object<double_words<double_word_faults{}>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_mended);
