// The broken twin of `warp_tickets` that hands out tickets by the number of a lane, not by how many
// of those that came together are below it. Where lane 0 is not among them, a ticket is nobody's.
#pragma once

#include "warp_tickets_of.hpp"

struct warp_tickets_lane_number {
  static constexpr const char* spec = "queue";

  warp_tickets_of<4, lanes_together_of<true, false>> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN void enqueue(int value) { queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(warp_tickets_lane_number);
