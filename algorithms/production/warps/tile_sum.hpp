// The mask of a tile is computed with /.
#pragma once

#include "tile_sums.hpp"

struct tile_sum : tile_sums<tile_by_quotient> {};
SIMT_SUBJECT(tile_sum);
