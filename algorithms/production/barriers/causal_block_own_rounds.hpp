// Each warp has as many rounds as its row needs.
#pragma once

#include "causal_blocks.hpp"

struct causal_block_own_rounds : causal_blocks<false> {};
SIMT_SUBJECT(causal_block_own_rounds);
