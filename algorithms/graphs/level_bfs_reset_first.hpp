// The broken twin of `level_bfs` whose host resets the flag before it looks at it: there is no
// second launch.
#pragma once

#include "level_bfs_of.hpp"

struct level_bfs_reset_first : level_bfs_of<level_store::compare_exchange, level_end::reset_first> {
};
SIMT_SUBJECT(level_bfs_reset_first);
