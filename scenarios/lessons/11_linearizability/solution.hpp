// A cell that is taken will be filled: `dequeue` waits for it.
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
      if (seen == taken.load()) return {};
      const int value = cells[seen].load();
      if (value != 0 && first.compare_exchange_strong(seen, seen + 1)) return value;
      if (value == 0) seen = first.load();
    }
  }
};
