// The broken twin of `arora_outrun` whose thieves give up although nobody has outrun them: they
// look at the number of tasks first, and leave the last one to the owner.
#pragma once

#include "arora_of.hpp"
#include "steal.hpp"

struct arora_gives_up {
  using operations =
      simt::operation_list<simt::detail::simt_operation_push_back,
                           simt::detail::simt_operation_pop_back, simt_operation_steal>;
  static constexpr const char* spec = "work_deque";

  arora_of<16> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> steal() {
    if (deque.bot.load(simt::memory_order_seq_cst) < 2) return {};
    return deque.steal().task;
  }
};
SIMT_SUBJECT(arora_gives_up);
