// A fence stands before the counting and one behind it.
#pragma once

#include "partial_sums.hpp"

struct partial_sum : partial_sums<orders_both> {};
SIMT_SUBJECT(partial_sum);
