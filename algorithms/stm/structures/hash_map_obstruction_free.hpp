// The hash map of structures.hpp over the obstruction-free STM of Cederman's thesis (2011).
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_hash_map_obstruction_free = obstruction_free_memory<objects>;
}
struct hash_map_obstruction_free : stm::hash_map<stm::memory_of_hash_map_obstruction_free> {};
SIMT_SUBJECT(hash_map_obstruction_free);
