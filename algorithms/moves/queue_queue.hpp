// Moves between two queues (Cederman's thesis, 2011), with the DCAS mended.
#pragma once

#include "containers_of.hpp"

struct queue_queue
    : containers_of<movable_queue, movable_queue, double_words<double_word_faults{}>> {
  static constexpr const char* spec = "containers:queue_a=1,queue_b=1";
};
SIMT_SUBJECT(queue_queue);
