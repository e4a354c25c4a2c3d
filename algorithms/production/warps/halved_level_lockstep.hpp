// Lanes trust that their warp runs in lockstep.
#pragma once

#include "halved_levels.hpp"

struct halved_level_lockstep : halved_levels<lockstep_alone> {};
SIMT_SUBJECT(halved_level_lockstep);
