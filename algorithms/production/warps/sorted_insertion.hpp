// An element writes its link before it takes the head of the list.
#pragma once

#include "sorted_insertions.hpp"

struct sorted_insertion : sorted_insertions<true> {};
SIMT_SUBJECT(sorted_insertion);
