// Rounds take turns with two counters.
#pragma once

#include "round_counters.hpp"

struct round_counter_two : round_counters<2> {};
SIMT_SUBJECT(round_counter_two);
