// Breadth-first search over the blocking queue of Pourmeidani: each vertex is reached.
#pragma once

#include "../queues/pourmeidani_blocking.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_blocking : queue_bfs_of<pourmeidani_blocking, visits::first, levels::any> {};
SIMT_SUBJECT(queue_bfs_blocking);
