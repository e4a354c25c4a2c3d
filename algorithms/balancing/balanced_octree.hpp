// The octree over a balancer: clients, one of each block, take tasks, and add those that come of
// them, until a counter says that all particles are done.
//
// A balancer has begin(task), by one thread before all others; add(client, task); and take(client),
// which returns no task where none is seen.
#pragma once

#include "octree.hpp"

/// When a client ends: when all particles are done, or (a broken twin) when no task is seen.
enum class leaves { when_all_is_done, when_no_task_is_seen };

template <class Balancer, leaves when = leaves::when_all_is_done>
struct balanced_octree {
  octree work;
  Balancer tasks;

  SIMT_FN void init() { tasks.begin(work.all()); }

  SIMT_FN void operator()() {
    const int me = static_cast<int>(simt::block_index());
    while (!work.is_done()) {
      const simt::maybe<int> task = tasks.take(me);
      if (task) {
        work.divide(*task, [&](int next) { tasks.add(me, next); });
      } else if (when == leaves::when_no_task_is_seen) {
        break;
      }
    }
    simt::check(work.is_done(), "a block leaves while tasks are left");
  }

  const char* check() const { return work.check(); }
};
