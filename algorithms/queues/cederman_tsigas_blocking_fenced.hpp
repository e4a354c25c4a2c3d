// As `cederman_tsigas_blocking`, repaired: a fence at either end of what the lock guards, and an
// exchange that gives it back.
#pragma once

#include <simt/simt.hpp>

struct cederman_tsigas_blocking_fenced {
  static constexpr const char* spec = "queue";
  static constexpr int capacity = 8;  // enqueues in all

  int lock = 0;
  int beg = 0;
  int end = 0;
  int data[1 + capacity]{};

  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> result;
    acquire();
    if (beg != end) {
      beg = beg + 1;
      result = data[beg];
    }
    release();
    return result;
  }

  SIMT_FN void enqueue(int task) {
    acquire();
    end = end + 1;
    data[end] = task;
    release();
  }

 private:
  SIMT_FN void acquire() {
    while (simt::atomicCAS(&lock, 0, 1) == 1) {
    }
    simt::__threadfence();
  }

  SIMT_FN void release() {
    simt::__threadfence();
    simt::atomicExch(&lock, 0);
  }
};
SIMT_SUBJECT(cederman_tsigas_blocking_fenced);
