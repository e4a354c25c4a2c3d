// Nothing stands between the partial sum and the counting.
#pragma once

#include "partial_sums.hpp"

struct partial_sum_no_fence : partial_sums<orders_nothing> {};
SIMT_SUBJECT(partial_sum_no_fence);
