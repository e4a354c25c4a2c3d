// Relaxed values beside relaxed flags, and no fences.
#pragma once

#include "tile_prefixes.hpp"

struct tile_prefix_relaxed : tile_prefixes<relaxed_values> {};
SIMT_SUBJECT(tile_prefix_relaxed);
