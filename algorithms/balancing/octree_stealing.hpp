// The octree over deques of Arora, Blumofe and Plaxton, one for each block (thesis, 3.4.4). A block
// without a task looks round robin at the deques of the others.
#pragma once

#include "balanced_octree.hpp"
#include "balancers.hpp"

struct octree_stealing : balanced_octree<stealing<16>> {};
SIMT_SUBJECT(octree_stealing);
