// Two objects change together, and the third one behind that.
#pragma once

#include "three_stacks_of.hpp"

struct three_stacks_apart : three_stacks_of<spread_fault::apart> {};
SIMT_SUBJECT(three_stacks_apart);
