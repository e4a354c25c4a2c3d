// Moves between a queue and a stack (Cederman's thesis, 2011), with the DCAS mended.
#pragma once

#include "containers_of.hpp"

struct queue_stack
    : containers_of<movable_queue, movable_stack, double_words<double_word_faults{}>> {
  static constexpr const char* spec = "containers:queue_a=1";
};
SIMT_SUBJECT(queue_stack);
