// Thread 0 takes tiles for its block.
#pragma once

#include "tile_schedulers.hpp"

struct tile_scheduler : tile_schedulers<> {};
SIMT_SUBJECT(tile_scheduler);
