// The broken twin of `tsigas_zhang` with one null: an enqueue that slept while its cell was filled
// and emptied puts its value behind the head.
#pragma once

#include "tsigas_zhang_of.hpp"

struct tsigas_zhang_one_null {
  static constexpr const char* spec = "bounded_queue:capacity=2";

  tsigas_zhang_of<4, false> queue;

  SIMT_FN void init() { queue.init(); }

  SIMT_FN bool enqueue(int value) { return queue.enqueue(value); }
  SIMT_FN simt::maybe<int> dequeue() { return queue.dequeue(); }
};
SIMT_SUBJECT(tsigas_zhang_one_null);
