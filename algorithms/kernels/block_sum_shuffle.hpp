// The sum of a block's values by shuffles and one shared cell for each warp.
#pragma once

#include "block_sums.hpp"

struct block_sum_shuffle : block_sum::by_shuffles<barrier> {};
SIMT_SUBJECT(block_sum_shuffle);
