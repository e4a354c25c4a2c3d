// As last_block_sum, without the fence in front of what it publishes.
#pragma once

#include "last_blocks.hpp"

struct last_block_sum_no_fence : last_blocks<nothing> {};
SIMT_SUBJECT(last_block_sum_no_fence);
