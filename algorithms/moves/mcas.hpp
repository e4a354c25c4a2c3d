// The MCAS of Harris, Fraser and Pratt (DISC 2002) for two words. It fails only where a word is not
// as expected.
#pragma once

#include "double_word_objects.hpp"
#include "multi_words.hpp"

struct mcas : double_word_object<multi_words> {
  static constexpr const char* spec = "dcas";
};
SIMT_SUBJECT(mcas);
