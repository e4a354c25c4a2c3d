// GPU-Quicksort in which the threads of a block build prefix sums together.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_scan : gpu_quicksort_of<sums::scan> {};
SIMT_SUBJECT(gpu_quicksort_scan);
