// Grote's ticket lock (listings 4.7 and 4.8) with a strong load: lanes that wait let the others of
// their warp go on by a `syncwarp`, which the one that unlocks answers with another.
#pragma once

#include <simt/simt.hpp>

struct syncwarp_ticket_lock {
  unsigned current = 0;
  unsigned next = 0;

  SIMT_FN void lock() {
    const unsigned own_ticket = simt::atomicAdd(&next, 1U);
    while (true) {
      if (own_ticket != *static_cast<volatile unsigned*>(&current)) {
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
