// The octree over the blocking task queue of Cederman and Tsigas (thesis, 3.4.2, algorithm 5), with
// the fences that it lacks as printed.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_blocking_queue : balanced_octree<blocking_queue<lock_release::fenced>> {};
SIMT_SUBJECT(octree_blocking_queue);
