// The ticket lock as Grote prints it (listings 4.7, 4.5, 4.8): a `syncwarp` in the waiting loop and
// one in `unlock`, and a weak load of `current`. (Listing 4.5 returns a double, which holds every
// int; here it is the int.)
#pragma once

#include <simt/simt.hpp>

struct ticket_printed {
  unsigned current = 0;
  unsigned next = 0;

  SIMT_FN void lock() {
    const unsigned own_ticket = simt::atomicAdd(&next, 1U);
    while (true) {
      if (own_ticket != current) {
        simt::syncwarp();
      } else {
        simt::__threadfence();
        return;
      }
    }
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicAdd(&current, 1U);
    simt::syncwarp();
  }
};
SIMT_SUBJECT(ticket_printed);
