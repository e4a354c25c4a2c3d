// The broken twin of `arora` without a tag: the owner takes the last task and pushes another one,
// and a thief that has read the old one cannot tell.
#pragma once

#include "arora_of.hpp"

struct arora_no_tag {
  static constexpr const char* spec = "deque";

  arora_of<0> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> pop_front() {
    while (true) {
      const auto got = deque.steal();
      if (!got.is_outrun) return got.task;
    }
  }
};
SIMT_SUBJECT(arora_no_tag);
