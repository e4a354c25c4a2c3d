// The threads meet, and thread 0 passes a fence and counts.
#pragma once

#include "retiring_blocks.hpp"

struct retiring_block_one_fence : retiring_blocks<barrier_and_fence> {};
SIMT_SUBJECT(retiring_block_one_fence);
