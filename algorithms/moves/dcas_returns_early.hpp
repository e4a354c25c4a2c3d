// The DCAS of Cederman's thesis (2011), with D22 as printed: it returns before anything is decided.
#pragma once

#include "double_word_objects.hpp"

struct dcas_returns_early
    : double_word_object<double_words<double_word_faults{.returns_early = true}>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_returns_early);
