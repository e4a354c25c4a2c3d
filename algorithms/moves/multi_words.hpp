// Two words that are compared and exchanged together by the MCAS of Harris, Fraser and Pratt (DISC
// 2002). The reference for `double_words`, which helps at reads alone.
#pragma once

#include "many_words.hpp"

struct multi_words : private many_words<2> {
  using many_words<2>::read;

  /// What `double_words` has in a descriptor.
  struct both {
    int &old1, &new1, &old2, &new2;
    shared_word *&ptr1, *&ptr2;
  };

  SIMT_FN int allocate() { return many_words<2>::allocate(2); }
  SIMT_FN both operator[](int number) {
    auto& [first, second] = many_words<2>::operator[](number).entries;
    return {first.old, first.fresh, second.old, second.fresh, first.word, second.word};
  }
  SIMT_FN double_word_result change(int number) {
    const int failed = many_words<2>::change(number);
    if (failed == nowhere) return double_word_result::success;
    return failed == 0 ? double_word_result::first_failed : double_word_result::second_failed;
  }
};
