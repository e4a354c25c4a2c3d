// The broken twin of `dcas_watched`: D24 is a store, so a mark may replace a failure.
#pragma once

#include "double_word_objects.hpp"

struct dcas_stores_mark
    : double_word_object<double_words<double_word_faults{.stores_mark = true}, true>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_stores_mark);
