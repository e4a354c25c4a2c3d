// The octree by whole blocks over the static task list: a launch for each level.
#pragma once

#include "wide_static_octree.hpp"

struct wide_octree_static : wide_static_octree<> {};
SIMT_SUBJECT(wide_octree_static);
