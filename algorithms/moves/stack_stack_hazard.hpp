// Moves between two stacks (Cederman's thesis, 2011), with the DCAS mended and nodes that are used
// again. Only removals access a node that is not their own, so one hazard pointer does.
#pragma once

#include "hazard_words.hpp"

struct stack_stack_hazard
    : containers_with<movable_stack, movable_stack, hazard_words<move_hazards{.count = 1}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_hazard);
