// Moves between a queue and a stack (Cederman's thesis, 2011), with the DCAS mended and nodes that
// are used again. An insertion into the queue changes a word that is part of a node.
#pragma once

#include "hazard_words.hpp"

struct queue_stack_hazard
    : containers_with<movable_queue, movable_stack, hazard_words<move_hazards{}>> {
  static constexpr const char* spec = "containers:queue_a=1";
};
SIMT_SUBJECT(queue_stack_hazard);
