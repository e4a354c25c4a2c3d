// The priority queue that priority_queues.cu measures: that of Misra and Chaudhuri (ICPADS 2012,
// III-D) on their skip list with 32 levels. Compiled for the GPU, and by priority_queues_cpu.cpp
// for the CPU. An operation that needs a node uses that of its own number.
#pragma once

#include "measured_sets.hpp"

namespace measured {

enum priority_kind { insert_key, delete_least };

/// As `marked_queue` of algorithms/priority_queues: a node that a `delete_min` has taken has a mark
/// of its own, behind which its key is erased.
struct skip_queue {
  skip_list list;
  simt::atomic<int, simt::thread_scope_device> taken[2 + most_operations]{};

  SIMT_FN void init() { list.init(); }
  SIMT_FN bool insert(int key) { return list.insert(key); }
  SIMT_FN int delete_min() {
    int at = after(skip_list::first);
    while (at != skip_list::last) {
      int expected = 0;
      if (taken[at].load(simt::memory_order_acquire) == 0 &&
          taken[at].compare_exchange_strong(expected, 1, simt::memory_order_acq_rel,
                                            simt::memory_order_relaxed)) {
        const int key = list[at].key;
        list.erase(key);
        return key;
      }
      at = after(at);
    }
    return 0;
  }

 private:
  SIMT_FN int after(int number) { return marked_links::number_of(list[number].link(0)); }
};

/// What `delete_min` returns if the queue is empty.
constexpr int nothing = 0;

template <class Queue>
SIMT_FN int take(Queue& queue) {
  return queue.delete_min();
}
/// The answer: whether the key is new, or the key that was least.
template <class Queue>
requires requires(Queue& queue) { queue.delete_min(); }
SIMT_FN int carry_out(Queue& queue, int what, int key) {
  return what == insert_key ? (queue.insert(key) ? 1 : 0) : queue.delete_min();
}

}  // namespace measured
