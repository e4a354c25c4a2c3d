// The sleeping semaphore with 1 permit and four tickets, which are used again: so clients that
// never end come back to where they were. For two threads.
#pragma once

#include "sleeping_semaphore.hpp"

/// `turn_after_ticket` where both go round: a turn that has come is ahead by at most half of the
/// tickets.
template <unsigned tickets>
struct turn_after_ticket_round {
  SIMT_FN static bool lets_in(unsigned turn, unsigned ticket) {
    const unsigned ahead = (turn - ticket) % tickets;
    return ahead != 0 && ahead <= tickets / 2;
  }
};

struct sleeping_wraps_1 : sleeping_semaphore<1, turn_after_ticket_round<4>, true, 4> {};
SIMT_SUBJECT(sleeping_wraps_1);
