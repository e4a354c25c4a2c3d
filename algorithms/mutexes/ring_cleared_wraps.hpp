// As `ring_cleared`, with a head and a tail that go round: so clients that never end come back to
// where they were.
#pragma once

#include "ring_of.hpp"

struct ring_cleared_wraps : ring_of<2> {
  static constexpr unsigned places = 2;

  SIMT_FN void lock() {
    items[simt::atomicInc(&tail, places - 1)] = me();
    wait_turn(0);
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    const unsigned now = head;
    items[now] = 0;
    head = (now + 1) % places;
  }
};
SIMT_SUBJECT(ring_cleared_wraps);
