// The order of the sleeping semaphore with one permit, counted from the arrival: the doorway ends
// when the thread is counted. Another that arrives later may take its ticket first.
#pragma once

#include "sleeping_semaphore.hpp"

struct sleeping_order_of_arrival {
  sleeping_semaphore<1> semaphore;

  SIMT_FN unsigned doorway() { return semaphore.arrived(); }
  SIMT_FN void wait_turn(unsigned before) { semaphore.wait_turn(semaphore.take_ticket(before)); }
  SIMT_FN void unlock() { semaphore.release(); }
};
SIMT_SUBJECT(sleeping_order_of_arrival);
