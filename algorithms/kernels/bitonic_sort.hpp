// A bitonic sort in shared memory.
#pragma once

#include "bitonic_sorts.hpp"

struct bitonic_sort : bitonic_sorts<barrier> {};
SIMT_SUBJECT(bitonic_sort);
