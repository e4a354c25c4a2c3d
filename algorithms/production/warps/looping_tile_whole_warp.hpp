// The shuffles of a tile name the whole warp.
#pragma once

#include "looping_tiles.hpp"

struct looping_tile_whole_warp : looping_tiles<whole_warp> {};
SIMT_SUBJECT(looping_tile_whole_warp);
