// Moves between two stacks that take their nodes from free lists with a compare-exchange of their
// own, which is no part of a move.
#pragma once

#include "free_list_stack.hpp"

struct stack_stack_free_list : free_list_stacks<false> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_free_list);
