// Balancers: what tasks are taken from, behind one interface (balanced_octree.hpp).
#pragma once

#include "../deques/arora_of.hpp"
#include "../queues/tsigas_zhang_of.hpp"
#include "octree.hpp"

enum class lock_release { fenced, printed };

/// Algorithm 5: an array and a lock; `most` tasks come in all.
template <lock_release how, int most = octree::most_tasks>
struct blocking_queue {
  int lock = 0;
  int beg = 0;
  int end = 0;
  int data[1 + most]{};

  SIMT_FN void begin(int task) { add(0, task); }
  SIMT_FN void add(int, int task) {
    acquire();
    end = end + 1;
    data[end] = task;
    release();
  }
  SIMT_FN simt::maybe<int> take(int) {
    simt::maybe<int> task;
    acquire();
    if (beg != end) {
      beg = beg + 1;
      task = data[beg];
    }
    release();
    return task;
  }

 private:
  SIMT_FN void acquire() {
    while (simt::atomicCAS(&lock, 0, 1) == 1) {
    }
    if (how == lock_release::fenced) simt::__threadfence();
  }
  SIMT_FN void release() {
    if constexpr (how == lock_release::fenced) {
      simt::__threadfence();
      simt::atomicExch(&lock, 0);
    } else {
      lock = 0;
    }
  }
};

/// The queue of Tsigas and Zhang, with room for `most` tasks at a time.
template <int most>
struct lock_free_queue_of {
  tsigas_zhang_of<most + 2 + most % 2> queue;

  SIMT_FN void begin(int task) {
    queue.init();
    queue.enqueue(task);
  }
  SIMT_FN void add(int, int task) { simt::check(queue.enqueue(task), "the queue is full"); }
  SIMT_FN simt::maybe<int> take(int) { return queue.dequeue(); }
};
using lock_free_queue = lock_free_queue_of<octree::most_tasks>;

/// Deques of Arora, Blumofe and Plaxton.
template <int tag_bits>
struct stealing {
  static constexpr int most_blocks = simt::sized(3, simt::measured_blocks);

  arora_of<tag_bits> deques[most_blocks];

  SIMT_FN void begin(int task) { deques[0].push(task); }
  SIMT_FN void add(int client, int task) { deques[client].push(task); }
  SIMT_FN simt::maybe<int> take(int client) {
    const simt::maybe<int> own = deques[client].pop();
    if (own) return own;
    const int all = static_cast<int>(simt::block_count());
    for (int i = 1; i < all; ++i) {
      const auto got = deques[(client + i) % all].steal();
      if (got.task) return got.task;
    }
    return {};
  }
};
