// GPU-Quicksort with the barriers and fences that its listings lack.
#pragma once

#include "gpu_quicksort_of.hpp"

struct gpu_quicksort : gpu_quicksort_of<> {};
SIMT_SUBJECT(gpu_quicksort);
