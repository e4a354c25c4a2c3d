// A syncthreads stands between the partial sum and the counting.
#pragma once

#include "partial_sums.hpp"

struct partial_sum_syncthreads : partial_sums<orders_by_barrier> {};
SIMT_SUBJECT(partial_sum_syncthreads);
