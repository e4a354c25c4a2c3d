// The fetch-and-add mutex of Stuart and Owens (2011), algorithm 3: a ticket, a turn, and backoff
// while it is another's. `turn` is volatile (their "sleeping" is polling by volatile accesses), and
// `unlock` has no atomic: only the holder writes it.
#pragma once

#include "backoff.hpp"

struct fetch_and_add {
  unsigned ticket = 0;
  volatile unsigned turn = 0;

  SIMT_FN void lock() { wait_turn(doorway()); }

  SIMT_FN unsigned doorway() { return simt::atomicAdd(&ticket, 1U); }
  SIMT_FN void wait_turn(unsigned ticket_number) {
    auto backoff = linear_backoff::begin();
    while (ticket_number != turn) backoff.sleep();
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    turn = turn + 1;
  }
};
SIMT_SUBJECT(fetch_and_add);
