// Barrier 3 is for the two warps.
#pragma once

#include "bar_votes.hpp"

struct bar_vote : bar_votes<3, 64> {};
SIMT_SUBJECT(bar_vote);
