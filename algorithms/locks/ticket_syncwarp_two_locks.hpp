// The lanes of a warp use different locks: those of even rank one, those of odd rank another.
// Their `syncwarp`s meet all the same.
#pragma once

#include "syncwarp_ticket_lock.hpp"

struct ticket_syncwarp_two_locks {
  // Each with a cache line of its own. On a GPU, requests for one line are carried out in the order
  // in which they come, so that of two blocks each is first at one lock only where there are two.
  struct alignas(256) separate_lock : syncwarp_ticket_lock {};

  separate_lock locks[2];
  int counters[2]{};

  SIMT_FN void operator()() {
    const unsigned which = simt::thread_rank() % 2;
    locks[which].lock();
    ++counters[which];
    locks[which].unlock();
  }

  bool check(const simt::launch_shape& shape) const {
    return counters[0] + counters[1] == static_cast<int>(shape.clients);
  }
};
SIMT_SUBJECT(ticket_syncwarp_two_locks);
