// As `ring`, but `unlock` clears its item before it increments the head: nobody finds itself in the
// item of an earlier round.
#pragma once

#include "ring_of.hpp"

struct ring_cleared : ring_of<ring_places> {
  SIMT_FN void unlock() {
    simt::__threadfence();
    const unsigned now = head;
    items[now % ring_places] = 0;
    head = now + 1;
  }
};
SIMT_SUBJECT(ring_cleared);
