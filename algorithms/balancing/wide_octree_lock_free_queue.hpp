// The octree by whole blocks over the lock-free task queue of chapter 3 (thesis, 3.4.3), which is
// that of Tsigas and Zhang.
#pragma once

#include "balancers.hpp"
#include "wide_balanced_octree.hpp"

struct wide_octree_lock_free_queue
    : wide_balanced_octree<lock_free_queue_of<wide_octree::most_waiting>> {};
SIMT_SUBJECT(wide_octree_lock_free_queue);
