// `dcas_mended` with lemma 4.1 of the thesis as an assertion.
#pragma once

#include "double_word_objects.hpp"

struct dcas_watched : double_word_object<double_words<double_word_faults{}, true>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_watched);
