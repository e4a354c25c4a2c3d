// Moves between two queues (Cederman's thesis, 2011), with the DCAS mended and nodes that are used
// again.
#pragma once

#include "hazard_words.hpp"

struct queue_queue_hazard
    : containers_with<movable_queue, movable_queue, hazard_words<move_hazards{}>> {
  static constexpr const char* spec = "containers:queue_a=1,queue_b=1";
};
SIMT_SUBJECT(queue_queue_hazard);
