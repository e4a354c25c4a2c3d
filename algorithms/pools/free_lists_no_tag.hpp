// The broken twin of `free_lists_tagged`: a node that was taken and given back is taken for one
// that has stayed on the stack.
#pragma once

#include "free_lists.hpp"

struct free_lists_no_tag : free_lists_of<false> {};
SIMT_SUBJECT(free_lists_no_tag);
