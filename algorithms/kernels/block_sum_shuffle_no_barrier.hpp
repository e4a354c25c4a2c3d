// As block_sum_shuffle, without a barrier that it needs.
#pragma once

#include "block_sums.hpp"

struct block_sum_shuffle_no_barrier : block_sum::by_shuffles<nothing> {};
SIMT_SUBJECT(block_sum_shuffle_no_barrier);
