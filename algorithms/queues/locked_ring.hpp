// A queue in a ring that a test-and-set lock guards: blocking, for any number of operations.
#pragma once

#include <simt/simt.hpp>

struct locked_ring {
  static constexpr const char* spec = "queue";
  static constexpr int capacity = simt::sized(4, simt::measured_threads / 4);  // values at a time

  simt::atomic<int, simt::thread_scope_device> held{0};
  int first{0};
  int size{0};
  int values[capacity]{};

  SIMT_FN void enqueue(int value) {
    lock();
    values[(first + size) % capacity] = value;
    ++size;
    unlock();
  }

  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> taken;
    lock();
    if (size != 0) {
      taken = values[first];
      first = (first + 1) % capacity;
      --size;
    }
    unlock();
    return taken;
  }

 private:
  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(locked_ring);
