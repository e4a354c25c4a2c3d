// Breadth-first search by levels without read-modify-writes: threads of one launch that reach the
// same vertex store the same level. With relaxed atomic stores that is right.
#pragma once

#include "level_bfs_of.hpp"

struct level_bfs_relaxed : level_bfs_of<level_store::relaxed> {};
SIMT_SUBJECT(level_bfs_relaxed);
