// The broken twin of `arora` whose tag has one bit: it comes back when the deque has been empty
// twice.
#pragma once

#include "arora_of.hpp"

struct arora_one_bit {
  static constexpr const char* spec = "deque";

  arora_of<1> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> pop_front() {
    while (true) {
      const auto got = deque.steal();
      if (!got.is_outrun) return got.task;
    }
  }
};
SIMT_SUBJECT(arora_one_bit);
