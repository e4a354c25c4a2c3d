// Only lanes of even rank call `lock`; the others wait for them in a `syncwarp` behind the branch.
// That one pairs with the `syncwarp`s inside the lock, so it does not wait for the end of the work.
#pragma once

#include "some_lanes.hpp"
#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp_then_syncwarp {
  some_lanes<syncwarp_ticket_lock> lanes;

  SIMT_FN void operator()() {
    const bool counted = lanes.count();
    simt::syncwarp();
    if (!counted) lanes.look();
  }
};
SIMT_SUBJECT(ticket_syncwarp_then_syncwarp);
