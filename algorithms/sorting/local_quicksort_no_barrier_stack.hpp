// The broken twin of `local_quicksort` without a barrier between reading the stack and taking off
// its top.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_no_barrier_stack : local_sort<local_fault::no_barrier_behind_stack> {};
SIMT_SUBJECT(local_quicksort_no_barrier_stack);
