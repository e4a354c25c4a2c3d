// The thread that asks for the copy waits for it before the barrier.
#pragma once

#include "async_tiles.hpp"

struct async_tile : async_tiles<true> {};
SIMT_SUBJECT(async_tile);
