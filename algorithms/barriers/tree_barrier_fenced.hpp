// The barrier by a tree of counters, with fences also between the levels: who goes up tells of what
// the other one has written, too.
#pragma once

#include "counter_tree.hpp"

struct tree_barrier_fenced : counter_tree<climber::last, device_fences> {};
SIMT_SUBJECT(tree_barrier_fenced);
