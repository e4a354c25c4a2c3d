// Moves between two stacks (Cederman's thesis, 2011), with the DCAS mended.
#pragma once

#include "containers_of.hpp"

struct stack_stack
    : containers_of<movable_stack, movable_stack, double_words<double_word_faults{}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack);
