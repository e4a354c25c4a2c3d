// The priority queue of Sundell and Tsigas (JPDC 2005). Nodes are used once.
#pragma once

#include "sundell_queues.hpp"

struct sundell_queue : sundell_queue_of<sundell_ways{.updates = true}> {};
SIMT_SUBJECT(sundell_queue);
