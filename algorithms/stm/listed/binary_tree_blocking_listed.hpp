// The binary tree of structures.hpp over the blocking STM of Cederman's thesis (2011) with lists
// of items.
#pragma once

#include "../structures.hpp"
#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_binary_tree_blocking_listed = listed_blocking_memory<objects>;
}
struct binary_tree_blocking_listed : stm::binary_tree<stm::memory_of_binary_tree_blocking_listed> {
};
SIMT_SUBJECT(binary_tree_blocking_listed);
