// Phase two of GPU-Quicksort that sorts sequences of up to three keys by bitonic sort.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_bitonic : local_sort<local_fault::none, 4> {};
SIMT_SUBJECT(local_quicksort_bitonic);
