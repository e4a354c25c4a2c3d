// Threads read a tile behind a barrier, and nobody has waited for the copy.
#pragma once

#include "async_tiles.hpp"

struct async_tile_not_awaited : async_tiles<false> {};
SIMT_SUBJECT(async_tile_not_awaited);
