// A move from a stack to the same stack, which the thesis leaves out: both words of the DCAS are
// one, and the element is lost.
#pragma once

#include "containers_of.hpp"

SIMT_OPERATION(move_aa);

struct stack_itself
    : containers_of<movable_stack, movable_stack, double_words<double_word_faults{}>> {
  using operations =
      simt::operation_list<simt_operation_push_a, simt_operation_pop_a, simt_operation_move_aa>;
  static constexpr const char* spec = "containers";

  SIMT_FN bool move_aa() { return move(a, a); }
};
SIMT_SUBJECT(stack_itself);
