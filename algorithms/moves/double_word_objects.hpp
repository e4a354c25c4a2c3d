// Two words as an object: `dcas` changes both, `read` reads one.
#pragma once

#include "double_words.hpp"

SIMT_OPERATION(dcas);

/// A pair of words is one number: 16 times the first, plus the second.
template <class Changes>
struct double_word_object {
  using operations = simt::operation_list<simt_operation_dcas, simt::detail::simt_operation_read>;

  shared_word words[2]{};
  Changes changes;

  SIMT_FN bool dcas(int expected, int desired) {
    const int number = changes.allocate();
    auto&& d = changes[number];
    d.old1 = expected >> 4;
    d.old2 = expected & 15;
    d.new1 = desired >> 4;
    d.new2 = desired & 15;
    d.ptr1 = &words[0];
    d.ptr2 = &words[1];
    return changes.change(number) == double_word_result::success;
  }
  SIMT_FN int read(int which) { return changes.read(words[which]); }

  /// Of the second word, faults may leave a mark, until somebody reads it.
  const char* check() const {
    return words[0].host_value() < 16 ? nullptr : "the first word still has a descriptor";
  }
};
