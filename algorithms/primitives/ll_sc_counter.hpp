// A counter by load-linked and store-conditional.
#pragma once

#include "ll_sc_counters.hpp"

struct ll_sc_counter : ll_sc_counter_of<false> {};
SIMT_SUBJECT(ll_sc_counter);
