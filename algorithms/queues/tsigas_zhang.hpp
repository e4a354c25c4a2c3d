// The queue of Tsigas and Zhang (SPAA 2001) in a ring of four cells: two values at a time.
#pragma once

#include "tsigas_zhang_of.hpp"

struct tsigas_zhang {
  static constexpr const char* spec = "bounded_queue:capacity=2";

  tsigas_zhang_of<4> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN bool enqueue(int value) { return queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(tsigas_zhang);
