// Lanes meet at a syncwarp between two levels.
#pragma once

#include "halved_levels.hpp"

struct halved_level : halved_levels<warp_barrier> {};
SIMT_SUBJECT(halved_level);
