// The broken twin of `queue_stack_hazard`: who helps does not guard the node of the second word (D3
// is left out), against lemma 4.6.
#pragma once

#include "hazard_words.hpp"

struct queue_stack_hazard_unguarded_help
    : containers_with<movable_queue, movable_stack,
                      hazard_words<move_hazards{.guards_help = false}>> {
  static constexpr const char* spec = "containers:queue_a=1";
};
SIMT_SUBJECT(queue_stack_hazard_unguarded_help);
