// The hash map of structures.hpp over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_hash_map_blocking = blocking_memory<objects>;
}
struct hash_map_blocking : stm::hash_map<stm::memory_of_hash_map_blocking> {};
SIMT_SUBJECT(hash_map_blocking);
