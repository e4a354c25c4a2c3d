// The broken twin of `queue_stack_hazard`: who helps sets the hazard pointer that its own removal
// needs. Where the other's move fails, the top is what it was, but no longer guarded.
#pragma once

#include "hazard_words.hpp"

struct queue_stack_hazard_help_shares
    : containers_with<movable_queue, movable_stack, hazard_words<move_hazards{.help = 0}>> {
  static constexpr const char* spec = "containers:queue_a=1";
};
SIMT_SUBJECT(queue_stack_hazard_help_shares);
