// All rounds use the same counter.
#pragma once

#include "round_counters.hpp"

struct round_counter_one : round_counters<1> {};
SIMT_SUBJECT(round_counter_one);
