// Two blocks need two locks, in different orders.
#pragma once

#include <simt/simt.hpp>

#include "kernel.hpp"

struct lesson {
  spin_lock locks[2];
  int moves = 0;

  SIMT_FN void operator()() {
    const unsigned mine = simt::block_index();
    lock_both(locks, mine, 1 - mine);
    moves = moves + 1;
    locks[0].unlock();
    locks[1].unlock();
  }

  const char* check() const { return moves == 2 ? nullptr : "a move was lost"; }
};
SIMT_SUBJECT(lesson);
