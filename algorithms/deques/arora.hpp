// The deque of Arora, Blumofe and Plaxton (SPAA 1998) with strong accesses. A thief that is outrun
// tries again.
#pragma once

#include "arora_of.hpp"

struct arora {
  static constexpr const char* spec = "deque";

  arora_of<16> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> pop_front() {
    while (true) {
      const auto got = deque.steal();
      if (!got.is_outrun) return got.task;
    }
  }
};
SIMT_SUBJECT(arora);
