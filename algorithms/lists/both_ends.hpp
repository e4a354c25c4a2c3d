// Threads of even rank traverse a doubly linked list from its front, those of odd rank from its
// back: where they meet, each waits for the other's node.
#pragma once

#include "traversal.hpp"

struct both_ends : traversal {
  SIMT_FN void operator()() {
    if (simt::thread_rank() % 2 == 0) {
      forwards();
    } else {
      backwards();
    }
  }
};
SIMT_SUBJECT(both_ends);
