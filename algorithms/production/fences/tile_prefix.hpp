// Fences between values and flags, on both sides.
#pragma once

#include "tile_prefixes.hpp"

struct tile_prefix : tile_prefixes<fenced_values> {};
SIMT_SUBJECT(tile_prefix);
