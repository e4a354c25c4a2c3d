// Free lists whose stack has a tag.
#pragma once

#include "free_lists.hpp"

struct free_lists_tagged : free_lists_of<true> {};
SIMT_SUBJECT(free_lists_tagged);
