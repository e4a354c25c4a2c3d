// Moves between two stacks, with D24 as printed.
#pragma once

#include "containers_of.hpp"

struct stack_stack_own_mark : containers_of<movable_stack, movable_stack,
                                            double_words<double_word_faults{.own_mark = true}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_own_mark);
