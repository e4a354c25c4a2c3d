// The barrier by a tree of counters, without fences: blocks meet, but what one has written before
// the barrier need not be visible to the others behind it.
#pragma once

#include "counter_tree.hpp"

struct tree_barrier : counter_tree<climber::last, no_fences> {};
SIMT_SUBJECT(tree_barrier);
