// The broken twin of `local_quicksort` without a barrier in front of the pivots: they go to `d`,
// which others may still move keys from.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_no_barrier_pivots : local_sort<local_fault::no_barrier_before_pivots> {};
SIMT_SUBJECT(local_quicksort_no_barrier_pivots);
