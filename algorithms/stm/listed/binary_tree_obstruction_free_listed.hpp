// The binary tree of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with
// lists of items.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_binary_tree_obstruction_free_listed = listed_obstruction_free_memory<objects>;
}
struct binary_tree_obstruction_free_listed
    : stm::binary_tree<stm::memory_of_binary_tree_obstruction_free_listed> {};
SIMT_SUBJECT(binary_tree_obstruction_free_listed);
