// The counter of the loads goes on from tile to tile.
#pragma once

#include "guarded_tiles.hpp"

struct guarded_tile : guarded_tiles<true> {};
SIMT_SUBJECT(guarded_tile);
