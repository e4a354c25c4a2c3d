// A queue in an array that a test-and-set lock guards.
#pragma once

#include <simt/simt.hpp>

struct locked_queue {
  static constexpr const char* spec = "queue";
  static constexpr int capacity = 8;  // enqueues in all

  simt::atomic<int, simt::thread_scope_device> held{0};
  int first{0};
  int behind{0};
  int values[capacity]{};

  SIMT_FN void enqueue(int value) {
    lock();
    simt::linearization_point();  // the lock is taken: any place up to its release will do
    values[behind++] = value;
    unlock();
  }

  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> taken;
    lock();
    simt::linearization_point();
    if (first != behind) taken = values[first++];
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
SIMT_SUBJECT(locked_queue);
