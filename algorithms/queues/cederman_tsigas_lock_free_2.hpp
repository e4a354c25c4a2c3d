// Cederman's lock-free task queue (algorithm 6) that moves `beg` and `end` every second time.
#pragma once

#include "cederman_tsigas_lock_free_of.hpp"

struct cederman_tsigas_lock_free_2 {
  static constexpr const char* spec = "queue";

  cederman_tsigas_lock_free_of<2> queue;

  SIMT_FN void enqueue(int task) { queue.enqueue(task); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(cederman_tsigas_lock_free_2);
