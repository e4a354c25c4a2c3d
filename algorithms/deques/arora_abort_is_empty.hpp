// A reading of `arora`: a thief that is outrun says that the deque is empty. It need not be.
#pragma once

#include "arora_of.hpp"

struct arora_abort_is_empty {
  static constexpr const char* spec = "deque";

  arora_of<16> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> pop_front() { return deque.steal().task; }
};
SIMT_SUBJECT(arora_abort_is_empty);
