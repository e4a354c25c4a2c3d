// One lane of a warp arrives while others may still work.
#pragma once

#include "lane_rings.hpp"

struct lane_ring_unmet : lane_rings<2, false> {};
SIMT_SUBJECT(lane_ring_unmet);
