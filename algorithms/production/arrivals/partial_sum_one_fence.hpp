// A fence stands between the partial sum and the counting.
#pragma once

#include "partial_sums.hpp"

struct partial_sum_one_fence : partial_sums<orders_before> {};
SIMT_SUBJECT(partial_sum_one_fence);
