// The deque of Arora, Blumofe and Plaxton (Thread scheduling for multiprogrammed multiprocessors,
// SPAA 1998), figure 5: `age` is {tag, top} in one word, and the owner sets it to {tag + 1, 0} when
// it takes the last task. A thief that another one outruns says so (ABORT). The tag has `tag_bits`
// bits.
#pragma once

#include <simt/simt.hpp>

template <int tag_bits>
struct arora_of {
  static constexpr int capacity = simt::sized(4, 128);  // tasks since the deque was empty

  using shared = simt::atomic<int, simt::thread_scope_device>;

  /// What a steal comes to. `task` has a meaning if it got one.
  struct stolen {
    bool is_outrun;
    simt::maybe<int> task;
  };

  shared age{0};
  shared bot{0};
  shared tasks[capacity]{};

  /// By the owner: pushBottom.
  SIMT_FN void push(int task) {
    const int at = bot.load(simt::memory_order_seq_cst);
    tasks[at].store(task, simt::memory_order_release);
    bot.store(at + 1, simt::memory_order_seq_cst);
  }
  /// By thieves: popTop.
  SIMT_FN stolen steal() {
    int old_age = age.load(simt::memory_order_seq_cst);
    if (bot.load(simt::memory_order_seq_cst) <= top_of(old_age)) return {false, {}};
    const int task = tasks[top_of(old_age)].load(simt::memory_order_acquire);
    if (!age.compare_exchange_strong(old_age, old_age + 1, simt::memory_order_seq_cst)) {
      return {true, {}};
    }
    return {false, task};
  }
  /// By the owner: popBottom.
  SIMT_FN simt::maybe<int> pop() {
    int at = bot.load(simt::memory_order_seq_cst);
    if (at == 0) return {};
    --at;
    bot.store(at, simt::memory_order_seq_cst);
    const int task = tasks[at].load(simt::memory_order_acquire);
    int old_age = age.load(simt::memory_order_seq_cst);
    if (at > top_of(old_age)) return task;
    bot.store(0, simt::memory_order_seq_cst);
    const int new_age = set_back(old_age);
    if (at == top_of(old_age)) {
      if (age.compare_exchange_strong(old_age, new_age, simt::memory_order_seq_cst)) return task;
    }
    age.store(new_age, simt::memory_order_seq_cst);
    return {};
  }

 private:
  static constexpr int tops = simt::sized(16, 256);  // values that `top` may have

  SIMT_FN static int top_of(int an_age) { return an_age % tops; }
  SIMT_FN static int set_back(int an_age) {
    const int tag = an_age / tops + 1;
    return tag % (1 << tag_bits) * tops;
  }
};
