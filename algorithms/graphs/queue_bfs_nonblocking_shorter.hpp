// The same as `queue_bfs_blocking_shorter` over the non-blocking queue: levels are right.
#pragma once

#include "../queues/pourmeidani_nonblocking_front_once.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_nonblocking_shorter
    : queue_bfs_of<pourmeidani_nonblocking_front_once, visits::shorter, levels::right> {};
SIMT_SUBJECT(queue_bfs_nonblocking_shorter);
