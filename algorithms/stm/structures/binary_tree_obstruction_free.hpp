// The binary tree of structures.hpp over the obstruction-free STM of Cederman's thesis (2011).
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_binary_tree_obstruction_free = obstruction_free_memory<objects>;
}
struct binary_tree_obstruction_free
    : stm::binary_tree<stm::memory_of_binary_tree_obstruction_free> {};
SIMT_SUBJECT(binary_tree_obstruction_free);
