// Breadth-first search by levels: one compare-exchange gives a vertex its level.
#pragma once

#include "level_bfs_of.hpp"

struct level_bfs : level_bfs_of<> {};
SIMT_SUBJECT(level_bfs);
