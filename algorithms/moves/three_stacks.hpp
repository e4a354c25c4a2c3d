// A move of three objects: from one stack into two others, by an MCAS of three words.
#pragma once

#include "three_stacks_of.hpp"

struct three_stacks : three_stacks_of<> {};
SIMT_SUBJECT(three_stacks);
