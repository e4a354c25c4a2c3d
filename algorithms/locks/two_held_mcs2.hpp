// Two queue locks held at once, with two nodes for each thread.
#pragma once

#include "grote_locks.hpp"
#include "two_held.hpp"

struct two_held_mcs2 : two_held<grote::mcs2_lock> {};
SIMT_SUBJECT(two_held_mcs2);
