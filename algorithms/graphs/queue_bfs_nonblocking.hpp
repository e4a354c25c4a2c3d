// Breadth-first search over the non-blocking queue of Pourmeidani: each vertex is reached.
#pragma once

#include "../queues/pourmeidani_nonblocking_front_once.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_nonblocking
    : queue_bfs_of<pourmeidani_nonblocking_front_once, visits::first, levels::any> {};
SIMT_SUBJECT(queue_bfs_nonblocking);
