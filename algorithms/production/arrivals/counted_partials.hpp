// Blocks store partial results, task after task, and count each of them; a block that reduces waits
// for the count. A task is counted when the next one begins, the last one at the end.
// `loop_fenced`: there is a fence before the counting in the loop, as there is at the end.
#pragma once

#include <simt/simt.hpp>

template <bool loop_fenced>
struct counted_partials {
  static constexpr unsigned tasks = 2;
  int partial[tasks]{};
  simt::atomic<unsigned, simt::thread_scope_device> counted[tasks];
  int total = 0;

  SIMT_FN void operator()() {
    if (simt::block_index() == 0) {
      for (unsigned task = 0; task < tasks; ++task) {
        if (task > 0) {
          if constexpr (loop_fenced) simt::__threadfence();
          counted[task - 1].fetch_add(1, simt::memory_order_relaxed);
        }
        partial[task] = static_cast<int>(task) + 1;
      }
      simt::__threadfence();
      counted[tasks - 1].fetch_add(1, simt::memory_order_relaxed);
    } else {
      int all = 0;
      for (unsigned task = 0; task < tasks; ++task) {
        while (counted[task].load(simt::memory_order_acquire) == 0) {
        }
        all += partial[task];
      }
      total = all;
    }
  }

  bool check() const { return total == 3; }
};
