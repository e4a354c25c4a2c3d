// GPU-Quicksort with the pivots of section 2.5.2 of Cederman's thesis in phase one, the average of
// the least and the greatest key; prefix sums; and pivots filled in by all threads of a block.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_average
    : gpu_quicksort_of<sums::scan, global_fault::none, pivots::averages, fills::by_block> {};
SIMT_SUBJECT(gpu_quicksort_average);
