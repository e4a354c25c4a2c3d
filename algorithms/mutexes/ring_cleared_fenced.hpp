// As `ring_cleared`, with the fences that its ring needs beside those of the critical section: on
// either side of taking a place, so that a thread knows how far the head has come, and between
// clearing an item and moving the head, so that it does not clear the next one's. (That one would
// do for the critical section, too.)
#pragma once

#include "ring_of.hpp"

struct ring_cleared_fenced : ring_of<ring_places> {
  SIMT_FN void lock() { wait_turn(doorway()); }

  SIMT_FN unsigned doorway() {
    simt::__threadfence();
    const unsigned place = simt::atomicAdd(&tail, 1U) % ring_places;
    simt::__threadfence();
    items[place] = me();
    return place;
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    const unsigned now = head;
    items[now % ring_places] = 0;
    simt::__threadfence();
    head = now + 1;
  }
};
SIMT_SUBJECT(ring_cleared_fenced);
