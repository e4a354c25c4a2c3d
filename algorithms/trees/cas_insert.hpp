// Insertion into a search tree by compare-and-swap.
#pragma once

#include "search_trees.hpp"

struct cas_insert : search_tree<links_by_cas> {};
SIMT_SUBJECT(cas_insert);
