// The sleeping semaphore of Stuart and Owens (2011), algorithm 5. Who finds it full takes a ticket
// and polls `turn`; who leaves and sees by the count that somebody waits, increments `turn`. The
// pseudo-code lets a ticket in when turn > ticket, the text (section 5) when turn >= ticket: a
// parameter. `acquire` and `release` are their wait() and post(). The listing has no fences.
#pragma once

#include <climits>

#include <simt/simt.hpp>

struct turn_after_ticket {
  SIMT_FN static bool lets_in(unsigned turn, unsigned ticket) { return turn > ticket; }
};
struct turn_from_ticket {
  SIMT_FN static bool lets_in(unsigned turn, unsigned ticket) { return turn >= ticket; }
};

/// `tickets`: how many there are before the first comes again; 0: as many as fit.
template <unsigned initial, class Rule = turn_after_ticket, bool fenced = true,
          unsigned tickets = 0>
struct sleeping_semaphore {
  static constexpr int permits = initial;
  static constexpr unsigned no_wait = UINT_MAX;
  static constexpr unsigned last_ticket = tickets - 1U;

  unsigned count = 0;  // who is inside, and who waits
  unsigned ticket = 0;
  unsigned turn = 0;

  SIMT_FN void acquire() { wait_turn(take_ticket(arrived())); }

  /// How many were here before.
  SIMT_FN unsigned arrived() { return simt::atomicInc(&count, UINT_MAX); }
  SIMT_FN unsigned take_ticket(unsigned before) {
    return before < initial ? no_wait : simt::atomicInc(&ticket, last_ticket);
  }
  SIMT_FN void wait_turn(unsigned mine) {
    bool acquired = mine == no_wait;
    while (!acquired) {
      if (Rule::lets_in(*static_cast<volatile unsigned*>(&turn), mine)) acquired = true;
    }
    if constexpr (fenced) simt::__threadfence();
  }

  SIMT_FN void release() {
    if constexpr (fenced) simt::__threadfence();
    if (simt::atomicDec(&count, UINT_MAX) > initial) simt::atomicInc(&turn, last_ticket);
  }
};
