// As `fetch_and_add`, with four tickets, which are used again: so clients that never end come back
// to where they were. There must be at least as many tickets as threads.
#pragma once

#include "backoff.hpp"

struct fetch_and_add_ring {
  static constexpr unsigned tickets = 4;

  unsigned ticket = 0;
  volatile unsigned turn = 0;

  SIMT_FN void lock() {
    const unsigned mine = simt::atomicInc(&ticket, tickets - 1);
    auto backoff = linear_backoff::begin();
    while (mine != turn) backoff.sleep();
    simt::__threadfence();
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    turn = (turn + 1) % tickets;
  }
};
SIMT_SUBJECT(fetch_and_add_ring);
