// The broken twin of `local_quicksort` without a barrier between the sums and who reads them.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_no_barrier_sums : local_sort<local_fault::no_barrier_behind_sums> {};
SIMT_SUBJECT(local_quicksort_no_barrier_sums);
