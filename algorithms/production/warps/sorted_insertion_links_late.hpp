// An element takes the head of the list first and writes its link afterwards.
#pragma once

#include "sorted_insertions.hpp"

struct sorted_insertion_links_late : sorted_insertions<false> {};
SIMT_SUBJECT(sorted_insertion_links_late);
