// Plain values beside relaxed flags, and no fences.
#pragma once

#include "tile_prefixes.hpp"

struct tile_prefix_plain : tile_prefixes<plain_values> {};
SIMT_SUBJECT(tile_prefix_plain);
