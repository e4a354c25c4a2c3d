// Only lanes of even rank call `lock`; the others wait for them in a `syncthreads` behind the
// branch, where the `syncwarp`s inside the lock wait for them in vain.
#pragma once

#include "some_lanes.hpp"
#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp_then_syncthreads {
  some_lanes<syncwarp_ticket_lock> lanes;

  SIMT_FN void operator()() {
    const bool counted = lanes.count();
    simt::syncthreads();
    if (!counted) lanes.look();
  }
};
SIMT_SUBJECT(ticket_syncwarp_then_syncthreads);
