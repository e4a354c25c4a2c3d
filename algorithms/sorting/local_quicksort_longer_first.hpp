// The broken twin of `local_quicksort` that puts the longer sequence on top of the stack.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_longer_first : local_sort<local_fault::longer_on_top> {};
SIMT_SUBJECT(local_quicksort_longer_first);
