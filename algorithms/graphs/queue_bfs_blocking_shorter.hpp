// Search over the blocking queue of Pourmeidani that takes a vertex up again when a shorter way to
// it comes up: levels are right.
#pragma once

#include "../queues/pourmeidani_blocking.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_blocking_shorter
    : queue_bfs_of<pourmeidani_blocking, visits::shorter, levels::right> {};
SIMT_SUBJECT(queue_bfs_blocking_shorter);
