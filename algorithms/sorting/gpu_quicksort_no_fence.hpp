// The broken twin of `gpu_quicksort` without a fence in front of the last fetch-and-add, as
// algorithm 2 is printed: the last block may miss keys that other blocks have moved.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_no_fence
    : gpu_quicksort_of<sums::by_one_thread, global_fault::no_fence_before_last> {};
SIMT_SUBJECT(gpu_quicksort_no_fence);
