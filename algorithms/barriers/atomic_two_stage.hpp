// The two-stage atomic barrier.
#pragma once

#include "two_counters.hpp"

struct atomic_two_stage : two_counters<2> {};
SIMT_SUBJECT(atomic_two_stage);
