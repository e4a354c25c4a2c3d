// The lanes of a warp meet before one of them arrives.
#pragma once

#include "lane_rings.hpp"

struct lane_ring : lane_rings<2, true> {};
SIMT_SUBJECT(lane_ring);
