// Who starts first is the producer, whatever its index is.
#pragma once

#include <simt/simt.hpp>

struct place {
  int number = 0;
  simt::atomic<int, simt::thread_scope_device> full{0};
  simt::atomic<int, simt::thread_scope_device> started{0};
};

SIMT_FN inline bool is_producer(place& where) {
  return where.started.fetch_add(1, simt::memory_order_relaxed) == 0;
}
