// The octree by whole blocks over deques of Arora, Blumofe and Plaxton, one for each block (thesis,
// 3.4.4).
#pragma once

#include "balancers.hpp"
#include "wide_balanced_octree.hpp"

static_assert(wide_octree::most_of_block <= arora_of<16>::capacity);

struct wide_octree_stealing : wide_balanced_octree<stealing<16>> {};
SIMT_SUBJECT(wide_octree_stealing);
