// The broken twin of `gpu_quicksort` without a barrier in front of the last fetch-and-add, as
// algorithm 2 is printed: the last block reads for its medians what others still move.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_no_barrier_last
    : gpu_quicksort_of<sums::by_one_thread, global_fault::no_barrier_before_last> {};
SIMT_SUBJECT(gpu_quicksort_no_barrier_last);
