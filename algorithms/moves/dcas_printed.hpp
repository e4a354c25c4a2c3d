// The DCAS of Cederman's thesis (2011), algorithm 12, as printed.
#pragma once

#include "double_word_objects.hpp"

struct dcas_printed
    : double_word_object<
          double_words<double_word_faults{.own_mark = true, .returns_early = true}>> {
  static constexpr const char* spec = "dcas:weak=1";
};
SIMT_SUBJECT(dcas_printed);
