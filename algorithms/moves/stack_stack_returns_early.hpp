// Moves between two stacks, with D22 as printed.
#pragma once

#include "containers_of.hpp"

struct stack_stack_returns_early
    : containers_of<movable_stack, movable_stack,
                    double_words<double_word_faults{.returns_early = true}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_returns_early);
