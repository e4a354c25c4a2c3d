// All warps have as many rounds as the last row needs.
#pragma once

#include "causal_blocks.hpp"

struct causal_block : causal_blocks<true> {};
SIMT_SUBJECT(causal_block);
