// The two-stage atomic barrier, with fences: each block's writes before the barrier are visible to
// all behind it.
#pragma once

#include "two_counters.hpp"

struct atomic_two_stage_fenced : two_counters<2, device_fences> {};
SIMT_SUBJECT(atomic_two_stage_fenced);
