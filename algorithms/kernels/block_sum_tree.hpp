// The sum of a block's values by a tree in shared memory.
#pragma once

#include "block_sums.hpp"

struct block_sum_tree : block_sum::by_tree<barrier> {};
SIMT_SUBJECT(block_sum_tree);
