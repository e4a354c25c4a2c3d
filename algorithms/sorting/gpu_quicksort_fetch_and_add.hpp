// GPU-Quicksort in which each thread of a block gets its places by a fetch-and-add.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_fetch_and_add : gpu_quicksort_of<sums::fetch_and_add> {};
SIMT_SUBJECT(gpu_quicksort_fetch_and_add);
