// The deque of Arora, Blumofe and Plaxton (SPAA 1998) as it is: a thief that is outrun finds
// nothing.
#pragma once

#include "arora_of.hpp"
#include "steal.hpp"

struct arora_outrun {
  using operations =
      simt::operation_list<simt::detail::simt_operation_push_back,
                           simt::detail::simt_operation_pop_back, simt_operation_steal>;
  static constexpr const char* spec = "work_deque";

  arora_of<16> deque;

  SIMT_FN void push_back(int task) { deque.push(task); }
  SIMT_FN simt::maybe<int> pop_back() { return deque.pop(); }
  SIMT_FN simt::maybe<int> steal() { return deque.steal().task; }
};
SIMT_SUBJECT(arora_outrun);
