// The broken twin of `sundell_queue` whose insert leaves a node with its key as it is: then
// `delete_min` may take a node that was the first when it looked.
#pragma once

#include "sundell_queues.hpp"

struct sundell_queue_keeps_value : sundell_queue_of<sundell_ways{}> {};
SIMT_SUBJECT(sundell_queue_keeps_value);
