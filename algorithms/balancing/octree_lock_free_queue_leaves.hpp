// The broken twin of `octree_lock_free_queue` whose blocks leave when the queue is empty: who does
// the last task may add others.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_lock_free_queue_leaves
    : balanced_octree<lock_free_queue, leaves::when_no_task_is_seen> {};
SIMT_SUBJECT(octree_lock_free_queue_leaves);
