// The two warps vote by the barrier that syncthreads uses.
#pragma once

#include "bar_votes.hpp"

struct bar_vote_zero : bar_votes<0, 64> {};
SIMT_SUBJECT(bar_vote_zero);
