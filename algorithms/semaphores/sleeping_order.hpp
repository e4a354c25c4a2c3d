// The order of the sleeping semaphore with one permit, counted from the ticket: the doorway ends
// when the ticket is taken.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_order {
  sleeping_semaphore<1> semaphore;

  SIMT_FN unsigned doorway() { return semaphore.take_ticket(semaphore.arrived()); }
  SIMT_FN void wait_turn(unsigned mine) { semaphore.wait_turn(mine); }
  SIMT_FN void unlock() { semaphore.release(); }
};
SIMT_SUBJECT(sleeping_order);
