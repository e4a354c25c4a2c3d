// The mask of a tile is computed with % where it takes /.
#pragma once

#include "tile_sums.hpp"

struct tile_sum_remainder : tile_sums<tile_by_remainder> {};
SIMT_SUBJECT(tile_sum_remainder);
