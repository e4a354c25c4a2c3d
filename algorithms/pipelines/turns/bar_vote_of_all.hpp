// The barrier is for three warps, and two come.
#pragma once

#include "bar_votes.hpp"

struct bar_vote_of_all : bar_votes<3, 96> {};
SIMT_SUBJECT(bar_vote_of_all);
