// Moves between two stacks (Cederman's thesis, 2011), with the DCAS mended and nodes that are used
// again. Only removals access a node that is not their own, so one hazard pointer does.
#pragma once

#include "hazard_containers_of.hpp"

struct stack_stack_hazard
    : hazard_containers_of<hazard_stack, hazard_stack, move_hazards{.count = 1}> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_hazard);
