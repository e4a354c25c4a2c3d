// The broken twin of `atomic_two_stage`, without the second stage: a block that goes on counts for
// the next phase before the others have seen that this one is complete.
#pragma once

#include "two_counters.hpp"

struct atomic_one_stage : two_counters<1> {};
SIMT_SUBJECT(atomic_one_stage);
