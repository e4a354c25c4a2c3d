// The queue of Herlihy and Wing (Linearizability, 1990, section 4.2). It is linearizable, but no
// step of `enqueue` is always the one that takes effect. `dequeue` waits where the queue is empty.
#pragma once

#include <simt/simt.hpp>

struct herlihy_wing {
  static constexpr const char* spec = "queue";
  static constexpr int capacity = 8;  // enqueues in all

  simt::atomic<int, simt::thread_scope_device> back{0};
  simt::atomic<int, simt::thread_scope_device> items[capacity]{};  // 0: none, or taken

  SIMT_FN void enqueue(int value) {
    const int mine = back.fetch_add(1, simt::memory_order_acq_rel);
    items[mine].store(value, simt::memory_order_release);
  }

  SIMT_FN int dequeue() {
    while (true) {
      const int range = back.load(simt::memory_order_acquire);
      for (int i = 0; i < range; ++i) {
        const int value = items[i].exchange(0, simt::memory_order_acq_rel);
        if (value != 0) return value;
      }
    }
  }
};
SIMT_SUBJECT(herlihy_wing);
