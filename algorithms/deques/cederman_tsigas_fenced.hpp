// As `cederman_tsigas`, with the fences that it needs, of which none can be left out: in
// `push_back` and in `pop_front` three of those of Alglave et al. (ASPLOS 2015, figure 6); one in
// either of `pop_back` and `pop_front` between one index and the other (Le et al., Correct and
// efficient work-stealing for weak memory models, PPoPP 2013); and one on either side of setting
// `head` back.
#pragma once

#include <simt/simt.hpp>

struct cederman_tsigas_fenced {
  static constexpr const char* spec = "deque";
  static constexpr int capacity = simt::sized(4, 128);  // tasks at a time

  int tasks[capacity]{};
  int head = 0;  // the index of the first task, and above it how often that was set back to 0
  int tail = 0;  // the index behind the last task

  /// By the owner.
  SIMT_FN void push_back(int task) {
    const int old_tail = strong(tail);
    strong(tasks[old_tail]) = task;
    simt::__threadfence();
    strong(tail) = old_tail + 1;
  }

  /// By thieves.
  SIMT_FN simt::maybe<int> pop_front() {
    while (true) {
      const int old_head = strong(head);
      simt::__threadfence();
      if (strong(tail) <= index_of(old_head)) return {};
      simt::__threadfence();
      const int task = strong(tasks[index_of(old_head)]);
      simt::__threadfence();
      if (simt::atomicCAS(&head, old_head, old_head + 1) == old_head) return task;
    }
  }

  /// By the owner.
  SIMT_FN simt::maybe<int> pop_back() {
    int old_tail = strong(tail);
    if (old_tail == 0) return {};
    old_tail = old_tail - 1;
    strong(tail) = old_tail;
    simt::__threadfence();
    const int task = strong(tasks[old_tail]);
    const int old_head = strong(head);
    if (old_tail > index_of(old_head)) return task;
    strong(tail) = 0;
    simt::__threadfence();
    const int new_head = set_back(old_head);
    if (old_tail == index_of(old_head)) {
      if (simt::atomicCAS(&head, old_head, new_head) == old_head) return task;
    }
    simt::atomicExch(&head, new_head);
    simt::__threadfence();
    return {};
  }

 private:
  static constexpr int count = 0x10000;

  /// As if it were declared volatile.
  SIMT_FN static volatile int& strong(int& word) { return word; }
  SIMT_FN static int index_of(int a_head) { return a_head & (count - 1); }
  SIMT_FN static int set_back(int a_head) { return a_head - index_of(a_head) + count; }
};
SIMT_SUBJECT(cederman_tsigas_fenced);
