// The octree over the lock-free task queue of chapter 3 (thesis, 3.4.3), which is that of Tsigas
// and Zhang.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_lock_free_queue : balanced_octree<lock_free_queue> {};
SIMT_SUBJECT(octree_lock_free_queue);
