// The broken twin of `octree_blocking_queue` as algorithm 5 is printed: the lock has no fences, and
// a plain store gives it back.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_blocking_queue_printed : balanced_octree<blocking_queue<lock_release::printed>> {};
SIMT_SUBJECT(octree_blocking_queue_printed);
