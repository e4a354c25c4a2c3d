// The computing warp only arrives.
#pragma once

#include "tile_rendezvous_of.hpp"

struct tile_rendezvous_arrives : tile_rendezvous_of<false> {};
SIMT_SUBJECT(tile_rendezvous_arrives);
