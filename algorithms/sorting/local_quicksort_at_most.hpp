// The broken twin of `local_quicksort` that moves keys like the pivot, too: a sequence of equal
// keys never becomes shorter.
#pragma once

#include "local_sort.hpp"

struct local_quicksort_at_most : local_sort<local_fault::at_most_the_pivot> {};
SIMT_SUBJECT(local_quicksort_at_most);
