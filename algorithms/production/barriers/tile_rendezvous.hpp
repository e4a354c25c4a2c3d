// The computing warp waits, too.
#pragma once

#include "tile_rendezvous_of.hpp"

struct tile_rendezvous : tile_rendezvous_of<true> {};
SIMT_SUBJECT(tile_rendezvous);
