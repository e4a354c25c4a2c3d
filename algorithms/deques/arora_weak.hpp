// `arora` with the weakest orders with which its scenarios are ok under ptx: six of fourteen
// accesses have one, and three of these a `fence.sc` in front, since they are sequentially
// consistent. tests/scenarios/fences_test.py weakens one after the other. (The values of tasks need
// no order of their own: they are atomics, and `bot` or `age` carries them.)
#pragma once

#include <simt/simt.hpp>

struct arora_weak {
  static constexpr const char* spec = "deque";
  static constexpr int capacity = simt::sized(4, 128);  // tasks since the deque was empty

  using shared = simt::atomic<int, simt::thread_scope_device>;

  shared age{0};  // {tag, top}
  shared bot{0};
  shared tasks[capacity]{};

  SIMT_FN void push_back(int task) {
    const int at = bot.load(simt::memory_order_relaxed);
    tasks[at].store(task, simt::memory_order_relaxed);
    bot.store(at + 1, simt::memory_order_release);
  }

  SIMT_FN simt::maybe<int> pop_front() {
    while (true) {
      int old_age = age.load(simt::memory_order_relaxed);
      if (bot.load(simt::memory_order_seq_cst) <= top_of(old_age)) return {};
      const int task = tasks[top_of(old_age)].load(simt::memory_order_relaxed);
      if (age.compare_exchange_strong(old_age, old_age + 1, simt::memory_order_release))
        return task;
    }
  }

  SIMT_FN simt::maybe<int> pop_back() {
    int at = bot.load(simt::memory_order_relaxed);
    if (at == 0) return {};
    --at;
    bot.store(at, simt::memory_order_relaxed);
    const int task = tasks[at].load(simt::memory_order_relaxed);
    int old_age = age.load(simt::memory_order_seq_cst);
    if (at > top_of(old_age)) return task;
    bot.store(0, simt::memory_order_relaxed);
    const int new_age = (old_age / tops + 1) * tops;
    if (at == top_of(old_age)) {
      if (age.compare_exchange_strong(old_age, new_age, simt::memory_order_release)) return task;
    }
    age.store(new_age, simt::memory_order_seq_cst);
    return {};
  }

 private:
  static constexpr int tops = simt::sized(16, 256);  // values that `top` may have

  SIMT_FN static int top_of(int an_age) { return an_age % tops; }
};
SIMT_SUBJECT(arora_weak);
