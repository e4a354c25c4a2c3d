// The broken twin of `octree_static` whose blocks move the tail of the list by a load and a store:
// two tasks get one place.
#pragma once

#include "static_octree_of.hpp"

struct octree_static_plain_tail : static_octree_of<tail::plain> {};
SIMT_SUBJECT(octree_static_plain_tail);
