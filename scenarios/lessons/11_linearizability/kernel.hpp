// A queue in an array. `enqueue` takes the next cell, and then fills it. `dequeue` says that the
// queue is empty where the first cell is not filled.
#pragma once

#include <simt/simt.hpp>

struct cell_queue {
  static constexpr int room = 4;
  simt::atomic<int, simt::thread_scope_device> taken{0};
  simt::atomic<int, simt::thread_scope_device> first{0};
  simt::atomic<int, simt::thread_scope_device> cells[room];  // 0: not filled

  SIMT_FN void enqueue(int value) {
    const int mine = taken.fetch_add(1);
    cells[mine].store(value);
  }

  SIMT_FN simt::maybe<int> dequeue() {
    int seen = first.load();
    while (true) {
      const int value = cells[seen].load();
      if (value == 0) return {};
      if (first.compare_exchange_strong(seen, seen + 1)) return value;
    }
  }
};
