// Helpers take words without a look at whether the MCAS is decided: an insertion takes effect again
// behind the removal of what it has inserted.
#pragma once

#include "three_stacks_of.hpp"

struct three_stacks_no_claims : three_stacks_of<spread_fault::none, false> {};
SIMT_SUBJECT(three_stacks_no_claims);
