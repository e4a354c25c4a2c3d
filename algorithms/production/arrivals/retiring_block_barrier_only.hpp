// The threads meet, and thread 0 counts without a fence.
#pragma once

#include "retiring_blocks.hpp"

struct retiring_block_barrier_only : retiring_blocks<barrier_only> {};
SIMT_SUBJECT(retiring_block_barrier_only);
