// The shuffles of a tile name its own lanes.
#pragma once

#include "looping_tiles.hpp"

struct looping_tile : looping_tiles<own_tile> {};
SIMT_SUBJECT(looping_tile);
