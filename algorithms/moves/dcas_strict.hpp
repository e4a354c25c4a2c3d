// The mended DCAS, asked for the semantics of algorithm 7: it fails only where a word is not as
// expected.
#pragma once

#include "double_word_objects.hpp"

struct dcas_strict : double_word_object<double_words<double_word_faults{}>> {
  static constexpr const char* spec = "dcas";
};
SIMT_SUBJECT(dcas_strict);
