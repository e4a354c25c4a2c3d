// The same search as `queue_bfs_blocking`, asked for levels: they are not those of a breadth-first
// search.
#pragma once

#include "../queues/pourmeidani_blocking.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_blocking_levels
    : queue_bfs_of<pourmeidani_blocking, visits::first, levels::right> {};
SIMT_SUBJECT(queue_bfs_blocking_levels);
