// The broken twin of `warp_tickets` without a `syncwarp` where lanes come together. Under ptx the
// lane that takes tickets for others need not see what these have enqueued.
#pragma once

#include "warp_tickets_of.hpp"

struct warp_tickets_no_barriers {
  static constexpr const char* spec = "queue";

  warp_tickets_of<4, lanes_together_of<false>> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN void enqueue(int value) { queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(warp_tickets_no_barriers);
