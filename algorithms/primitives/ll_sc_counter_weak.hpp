// A counter by load-linked and a store-conditional that may fail without a cause.
#pragma once

#include "ll_sc_counters.hpp"

struct ll_sc_counter_weak : ll_sc_counter_of<true> {};
SIMT_SUBJECT(ll_sc_counter_weak);
