// The broken twin of `wide_octree_static` whose blocks have no barrier behind the counts: places
// are given out while others still count.
#pragma once

#include "wide_static_octree.hpp"

struct wide_octree_static_early : wide_static_octree<octree_fault::no_barrier_behind_counts> {};
SIMT_SUBJECT(wide_octree_static_early);
