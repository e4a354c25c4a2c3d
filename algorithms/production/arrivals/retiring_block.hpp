// Each thread passes a fence, the threads meet, and thread 0 counts.
#pragma once

#include "retiring_blocks.hpp"

struct retiring_block : retiring_blocks<fence_and_barrier> {};
SIMT_SUBJECT(retiring_block);
