// The broken twin of `local_quicksort` without a barrier between the counts of threads and their
// sums.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_no_barrier_counts : local_sort<local_fault::no_barrier_behind_counts> {};
SIMT_SUBJECT(local_quicksort_no_barrier_counts);
