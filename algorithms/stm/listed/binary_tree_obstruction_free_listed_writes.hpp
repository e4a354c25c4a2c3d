// The binary tree of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with
// lists of items, where a transaction takes the locks of what it writes alone.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_binary_tree_obstruction_free_listed_writes =
    listed_obstruction_free_memory<objects, obstruction_free_faults{}, what_is_locked::written>;
}
struct binary_tree_obstruction_free_listed_writes
    : stm::binary_tree<stm::memory_of_binary_tree_obstruction_free_listed_writes> {};
SIMT_SUBJECT(binary_tree_obstruction_free_listed_writes);
