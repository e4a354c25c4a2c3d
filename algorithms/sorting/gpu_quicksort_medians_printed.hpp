// The broken twin of `gpu_quicksort` with the medians of algorithm 2 as printed: they read the key
// behind the end of a part.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort_medians_printed
    : gpu_quicksort_of<sums::by_one_thread, global_fault::medians_printed> {};
SIMT_SUBJECT(gpu_quicksort_medians_printed);
