// The broken twin of `tree_barrier_fenced`: the first one to arrive at a node goes up, so the
// barrier opens before all have come.
#pragma once

#include "counter_tree.hpp"

struct tree_barrier_first : counter_tree<climber::first, device_fences> {};
SIMT_SUBJECT(tree_barrier_first);
