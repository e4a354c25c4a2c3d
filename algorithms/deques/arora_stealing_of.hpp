// Task stealing as in Cederman's thesis (3.4.4 and 3.5): each client has a deque of Arora, Blumofe
// and Plaxton, and looks round robin at those of the others when its own is empty. Task t makes
// tasks 2t and 2t + 1, and clients leave when a counter says that all are done. Each is done once.
#pragma once

#include "arora_of.hpp"

/// `leaves`: clients leave when all deques looked empty (a broken twin).
template <bool leaves>
struct arora_stealing_of {
  static constexpr int clients = 3;
  static constexpr int tasks = 3;

  arora_of<16> deques[clients];
  simt::atomic<int, simt::thread_scope_device> done{0};
  simt::atomic<int, simt::thread_scope_device> times[1 + tasks]{};

  SIMT_FN void init() { deques[0].push(1); }

  SIMT_FN void operator()() {
    while (done.load(simt::memory_order_acquire) != tasks) {
      const int task = take();
      if (task != 0) {
        carry_out(task);
      } else if (leaves) {
        break;
      }
    }
    simt::check(done.load(simt::memory_order_acquire) == tasks, "leaves while tasks are left");
  }
  const char* check() const {
    for (int task = 1; task <= tasks; ++task) {
      if (times[task].host_value() != 1) return "a task is not done";
    }
    return nullptr;
  }

 private:
  /// 0: all deques looked empty.
  SIMT_FN int take() {
    const int me = static_cast<int>(simt::thread_rank());
    const auto own = deques[me].pop();
    if (own) return *own;
    const int others = static_cast<int>(simt::grid_size());
    for (int i = 1; i < others; ++i) {
      const auto got = deques[(me + i) % others].steal();
      if (got.task) return *got.task;
    }
    return 0;
  }
  SIMT_FN void carry_out(int task) {
    simt::check(times[task].exchange(1, simt::memory_order_acq_rel) == 0, "a task is done twice");
    const int me = static_cast<int>(simt::thread_rank());
    for (int child = 2 * task; child <= 2 * task + 1; ++child) {
      if (child <= tasks) deques[me].push(child);
    }
    done.fetch_add(1, simt::memory_order_acq_rel);
  }
};
