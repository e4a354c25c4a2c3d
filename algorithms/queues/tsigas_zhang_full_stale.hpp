// A reading of `tsigas_zhang`, as the algorithm is generally given: `enqueue` does not look at
// `tail` again once it has seen that `head` follows. What it takes for a full queue may be an empty
// one, and it moves `head` past a cell that nobody has filled.
#pragma once

#include "tsigas_zhang_of.hpp"

struct tsigas_zhang_full_stale {
  static constexpr const char* spec = "bounded_queue:capacity=2";

  tsigas_zhang_of<4, true, false> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN bool enqueue(int value) { return queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(tsigas_zhang_full_stale);
