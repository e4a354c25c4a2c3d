// Moves between two stacks (Cederman's thesis, 2011), algorithms 12 and 13 as printed.
#pragma once

#include "containers_of.hpp"

struct stack_stack_printed
    : containers_of<movable_stack, movable_stack,
                    double_words<double_word_faults{.own_mark = true, .returns_early = true}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_printed);
