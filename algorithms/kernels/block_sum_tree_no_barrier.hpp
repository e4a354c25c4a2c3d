// As block_sum_tree, without a barrier that it needs.
#pragma once

#include "block_sums.hpp"

struct block_sum_tree_no_barrier : block_sum::by_tree<nothing> {};
SIMT_SUBJECT(block_sum_tree_no_barrier);
