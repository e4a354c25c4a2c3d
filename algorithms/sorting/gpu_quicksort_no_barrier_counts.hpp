// The broken twin of `gpu_quicksort` without a barrier behind the counts, as algorithm 2 is
// printed.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_no_barrier_counts
    : gpu_quicksort_of<sums::by_one_thread, global_fault::no_barrier_behind_counts> {};
SIMT_SUBJECT(gpu_quicksort_no_barrier_counts);
