// Fences on both sides, and tiles by the order in which blocks start.
#pragma once

#include "tile_prefixes.hpp"

struct tile_prefix_ticket : tile_prefixes<fenced_tickets> {};
SIMT_SUBJECT(tile_prefix_ticket);
