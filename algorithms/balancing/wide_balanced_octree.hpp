// The octree by whole blocks over a balancer (balanced_octree.hpp): the first thread of each block
// takes tasks, and adds those that come of them, until a counter says that all particles are done.
#pragma once

#include "wide_octree.hpp"

template <class Balancer>
struct wide_balanced_octree {
  wide_octree work;
  Balancer tasks;

  SIMT_FN void init() { tasks.begin(work.all()); }

  SIMT_FN void operator()() {
    while (go_on()) {
    }
  }

  /// Does a task, if one is seen. False: all particles are done.
  SIMT_FN bool go_on() {
    block_memory& block = simt::block_shared<block_memory>();
    const int me = static_cast<int>(simt::block_index());
    if (simt::thread_rank() % simt::block_size() == 0) block.task = next(me);
    simt::syncthreads();
    const int task = block.task;
    if (task >= 0) {
      work.divide(task, block.of_work, [&](int added) { tasks.add(me, added); });
    } else {
      simt::syncthreads();  // all have read `task`
    }
    return task != over;
  }

  const char* check() const { return work.check(); }

 private:
  static constexpr int none_seen = -1, over = -2;

  struct block_memory {
    int task;
    wide_octree::block_memory of_work;
  };

  SIMT_FN int next(int me) {
    if (work.is_done()) return over;
    const simt::maybe<int> task = tasks.take(me);
    return task ? *task : none_seen;
  }
};
