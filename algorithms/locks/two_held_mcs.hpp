// Two queue locks held at once, with one node for each thread: the second lock overwrites in it who
// waits for the first.
#pragma once

#include "grote_locks.hpp"
#include "two_held.hpp"

struct two_held_mcs : two_held<grote::mcs_lock> {};
SIMT_SUBJECT(two_held_mcs);
