// The twin of `ticket_syncwarp_then_syncwarp`: a ticket lock without `syncwarp`s inside.
#pragma once

#include "grote_locks.hpp"
#include "some_lanes.hpp"

struct ticket_then_syncwarp {
  struct ticket_alone {
    grote::ticket_lock ticket;
    grote::nothing shared;

    SIMT_FN void lock() { ticket.lock(shared); }
    SIMT_FN void unlock() { ticket.unlock(shared); }
  };

  some_lanes<ticket_alone> lanes;

  SIMT_FN void operator()() {
    const bool counted = lanes.count();
    simt::syncwarp();
    if (!counted) lanes.look();
  }
};
SIMT_SUBJECT(ticket_then_syncwarp);
