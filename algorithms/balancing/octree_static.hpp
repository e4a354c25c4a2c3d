// The octree over the static task list: a launch for each level.
#pragma once

#include "static_octree_of.hpp"

struct octree_static : static_octree_of<> {};
SIMT_SUBJECT(octree_static);
