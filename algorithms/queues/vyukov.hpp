// Vyukov's bounded queue for many threads (1024cores.net, "Bounded MPMC queue"). An enqueue
// reserves a cell before it fills it, so `dequeue` says that the queue is empty while a later
// enqueue has returned: it is not quite linearizable.
#pragma once

#include <simt/simt.hpp>

struct vyukov {
  static constexpr const char* spec = "bounded_queue:capacity=2";
  static constexpr unsigned capacity =
      simt::sized(2, simt::measured_threads / 4);  // a power of two

  struct cell {
    simt::atomic<unsigned, simt::thread_scope_device> sequence;
    int value;
  };

  cell cells[capacity];
  simt::atomic<unsigned, simt::thread_scope_device> enqueued{0};
  simt::atomic<unsigned, simt::thread_scope_device> dequeued{0};

  SIMT_FN void init() {
    for (unsigned i = 0; i < capacity; ++i) {
      cells[i].sequence.store(i, simt::memory_order_relaxed);
    }
  }

  SIMT_FN bool enqueue(int value) {
    unsigned at = enqueued.load(simt::memory_order_relaxed);
    while (true) {
      const unsigned seen = cells[at % capacity].sequence.load(simt::memory_order_acquire);
      const int ahead = static_cast<int>(seen - at);
      if (ahead < 0) return false;
      if (ahead > 0) {
        at = enqueued.load(simt::memory_order_relaxed);
      } else if (enqueued.compare_exchange_strong(at, at + 1, simt::memory_order_relaxed)) {
        break;
      }
    }
    cells[at % capacity].value = value;
    cells[at % capacity].sequence.store(at + 1, simt::memory_order_release);
    return true;
  }

  SIMT_FN simt::maybe<int> dequeue() {
    unsigned at = dequeued.load(simt::memory_order_relaxed);
    while (true) {
      const unsigned seen = cells[at % capacity].sequence.load(simt::memory_order_acquire);
      const int ahead = static_cast<int>(seen - (at + 1));
      if (ahead < 0) return {};
      if (ahead > 0) {
        at = dequeued.load(simt::memory_order_relaxed);
      } else if (dequeued.compare_exchange_strong(at, at + 1, simt::memory_order_relaxed)) {
        break;
      }
    }
    const int value = cells[at % capacity].value;
    cells[at % capacity].sequence.store(at + capacity, simt::memory_order_release);
    return value;
  }
};
SIMT_SUBJECT(vyukov);
