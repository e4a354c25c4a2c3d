// The broken twin of `warp_tickets` whose dequeue reads `tail` before `head`: when others have
// dequeued in between, it takes tickets that no enqueue has.
#pragma once

#include "warp_tickets_of.hpp"

struct warp_tickets_tail_first {
  static constexpr const char* spec = "queue";

  warp_tickets_of<4, lanes_together, false> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN void enqueue(int value) { queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(warp_tickets_tail_first);
