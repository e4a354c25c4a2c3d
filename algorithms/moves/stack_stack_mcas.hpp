// Moves between two stacks by the MCAS of Harris, Fraser and Pratt (DISC 2002).
#pragma once

#include "containers_of.hpp"
#include "multi_words.hpp"

struct stack_stack_mcas : containers_of<movable_stack, movable_stack, multi_words> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_mcas);
