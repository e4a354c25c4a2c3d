// The broken twin of `stack_stack_free_list` whose free lists are move-ready stacks: inside a move
// the `scas` that takes a node is caught, and done together with the removal. Then the insertion's
// own finds that the removal has happened, and the value is in neither stack.
#pragma once

#include "free_list_stack.hpp"

struct stack_stack_free_list_caught : free_list_stacks<true> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_free_list_caught);
