// Grote's locks with less competition: one lane of each warp takes a test-and-set lock for all of
// them.
#pragma once

#include "grote_locks.hpp"
#include "warp_aggregated.hpp"

struct tas_aggregated : warp_aggregated<grote::tas_lock> {};
SIMT_SUBJECT(tas_aggregated);
