// Grote's locks with less competition: one lane of each warp takes a test-and-test-and-set lock for
// all of them.
#pragma once

#include "grote_locks.hpp"
#include "warp_aggregated.hpp"

struct ttas_aggregated : warp_aggregated<grote::ttas_lock> {};
SIMT_SUBJECT(ttas_aggregated);
