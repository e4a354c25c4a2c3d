// The skeleton of a lock-free task queue in Cederman's thesis (algorithm 6; also Cederman and
// Tsigas, On dynamic load balancing on graphics processors, Graphics Hardware 2008), as printed,
// but with strong accesses: an array that is used once, and `beg` and `end` that move when the
// index is a multiple of x. There is no test for an empty queue: a dequeue looks for a task for
// ever.
#pragma once

#include <simt/simt.hpp>

template <int x>
struct cederman_tsigas_lock_free_of {
  static constexpr int capacity = 8;  // tasks in all
  static constexpr int nil = 0;

  using shared = simt::atomic<int, simt::thread_scope_device>;

  shared beg{0};
  shared end{0};
  shared data[capacity]{};

  SIMT_FN int dequeue() {
    while (true) {
      int oldbeg = beg.load(simt::memory_order_acquire);
      int lbeg = oldbeg;
      int task = data[lbeg].load(simt::memory_order_acquire);
      while (task == nil) {
        ++lbeg;
        simt::check(lbeg < capacity, "runs past the array");
        task = data[lbeg].load(simt::memory_order_acquire);
      }
      const int taken = task;
      if (!data[lbeg].compare_exchange_strong(task, nil, simt::memory_order_acq_rel)) continue;
      if (lbeg % x == 0) beg.compare_exchange_strong(oldbeg, lbeg, simt::memory_order_acq_rel);
      return taken;
    }
  }

  SIMT_FN void enqueue(int task) {
    while (true) {
      int oldend = end.load(simt::memory_order_acquire);
      int lend = oldend;
      while (data[lend].load(simt::memory_order_acquire) != nil) {
        ++lend;
        simt::check(lend < capacity, "runs past the array");
      }
      int none = nil;
      if (!data[lend].compare_exchange_strong(none, task, simt::memory_order_acq_rel)) continue;
      if (lend % x == 0) end.compare_exchange_strong(oldend, lend, simt::memory_order_acq_rel);
      return;
    }
  }
};
