// Grote's locks with less competition: one lane of each warp takes a queue lock for all of them.
#pragma once

#include "grote_locks.hpp"
#include "warp_aggregated.hpp"

struct mcs_aggregated : warp_aggregated<grote::mcs_lock> {};
SIMT_SUBJECT(mcs_aggregated);
