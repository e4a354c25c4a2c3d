// The broken twin of `octree_stealing` whose deques have no tag: a thief that has read an old task
// cannot tell that the owner has emptied and filled the deque since.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_stealing_no_tag : balanced_octree<stealing<0>> {};
SIMT_SUBJECT(octree_stealing_no_tag);
