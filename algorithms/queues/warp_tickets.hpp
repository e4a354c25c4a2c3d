// A queue whose tickets a warp takes together: with one atomic operation for all lanes that come
// together, in place of one for each.
#pragma once

#include "warp_tickets_of.hpp"

struct warp_tickets {
  static constexpr const char* spec = "queue";

  warp_tickets_of<simt::sized(4, simt::measured_threads / 4)> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN void enqueue(int value) { queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(warp_tickets);
