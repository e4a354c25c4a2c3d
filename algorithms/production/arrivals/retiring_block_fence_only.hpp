// Each thread passes a fence, and thread 0 counts without waiting for the others.
#pragma once

#include "retiring_blocks.hpp"

struct retiring_block_fence_only : retiring_blocks<fence_only> {};
SIMT_SUBJECT(retiring_block_fence_only);
