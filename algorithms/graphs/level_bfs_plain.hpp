// The broken twin of `level_bfs_relaxed` with plain stores, as codes have it that call this race
// benign: two threads store the same level in the same vertex.
#pragma once

#include "level_bfs_of.hpp"

struct level_bfs_plain : level_bfs_of<level_store::plain> {};
SIMT_SUBJECT(level_bfs_plain);
