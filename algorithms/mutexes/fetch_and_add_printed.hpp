// As `fetch_and_add`, with plain accesses to `turn`, which is what algorithm 3 says if nothing is
// read into it.
#pragma once

#include "backoff.hpp"

struct fetch_and_add_printed {
  unsigned ticket = 0;
  unsigned turn = 0;

  SIMT_FN void lock() {
    const unsigned ticket_number = simt::atomicAdd(&ticket, 1U);
    auto backoff = linear_backoff::begin();
    while (ticket_number != turn) backoff.sleep();
  }

  SIMT_FN void unlock() { turn = turn + 1; }
};
SIMT_SUBJECT(fetch_and_add_printed);
