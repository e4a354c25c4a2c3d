// The same search as `queue_bfs_nonblocking`, asked for levels: they are not right either.
#pragma once

#include "../queues/pourmeidani_nonblocking_front_once.hpp"
#include "queue_bfs_of.hpp"

struct queue_bfs_nonblocking_levels
    : queue_bfs_of<pourmeidani_nonblocking_front_once, visits::first, levels::right> {};
SIMT_SUBJECT(queue_bfs_nonblocking_levels);
