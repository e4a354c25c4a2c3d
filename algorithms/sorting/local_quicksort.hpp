// Phase two of GPU-Quicksort (Cederman's thesis, algorithm 3) with the barriers that it needs.
#pragma once

#include "local_sort.hpp"

struct local_quicksort : local_sort<> {};
SIMT_SUBJECT(local_quicksort);
