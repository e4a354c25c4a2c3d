// The octree by whole blocks over the blocking task queue of Cederman and Tsigas (thesis, 3.4.2,
// algorithm 5), with fences.
#pragma once

#include "balancers.hpp"
#include "wide_balanced_octree.hpp"

struct wide_octree_blocking_queue
    : wide_balanced_octree<blocking_queue<lock_release::fenced, wide_octree::most_tasks>> {};
SIMT_SUBJECT(wide_octree_blocking_queue);
