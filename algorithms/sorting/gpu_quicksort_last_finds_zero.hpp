// The broken twin of `gpu_quicksort` whose last block is to find 0 in `blockcount`, as algorithm 2
// is printed: nobody is the last, and pivots are never filled in.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_last_finds_zero
    : gpu_quicksort_of<sums::by_one_thread, global_fault::last_finds_zero> {};
SIMT_SUBJECT(gpu_quicksort_last_finds_zero);
