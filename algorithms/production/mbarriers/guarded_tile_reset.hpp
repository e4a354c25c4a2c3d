// The counter of the loads begins anew for each tile.
#pragma once

#include "guarded_tiles.hpp"

struct guarded_tile_reset : guarded_tiles<false> {};
SIMT_SUBJECT(guarded_tile_reset);
