// The sum of a grid, finished by the block that is the last one to count itself.
#pragma once

#include "last_blocks.hpp"

struct last_block_sum : last_blocks<fence> {};
SIMT_SUBJECT(last_block_sum);
