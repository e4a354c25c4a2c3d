// The broken twin of `queue_stack_hazard`: the insertion of a move sets the hazard pointer that the
// removal needs, against definition 4.1. The node that is to be removed can then be used again
// while the move still compares with it.
#pragma once

#include "hazard_words.hpp"

struct queue_stack_hazard_shared
    : containers_with<movable_queue, movable_stack, hazard_words<move_hazards{.insertion = 0}>> {
  static constexpr const char* spec = "containers:queue_a=1";
};
SIMT_SUBJECT(queue_stack_hazard_shared);
