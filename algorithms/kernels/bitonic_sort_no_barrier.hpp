// As bitonic_sort, without a barrier that it needs.
#pragma once

#include "bitonic_sorts.hpp"

struct bitonic_sort_no_barrier : bitonic_sorts<nothing> {};
SIMT_SUBJECT(bitonic_sort_no_barrier);
