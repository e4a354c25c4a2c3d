// The binary tree of structures.hpp over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_binary_tree_blocking = blocking_memory<objects>;
}
struct binary_tree_blocking : stm::binary_tree<stm::memory_of_binary_tree_blocking> {};
SIMT_SUBJECT(binary_tree_blocking);
