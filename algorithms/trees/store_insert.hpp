// Insertion into a search tree by a store: an insertion at the same place is lost.
#pragma once

#include "search_trees.hpp"

struct store_insert : search_tree<links_by_store> {};
SIMT_SUBJECT(store_insert);
