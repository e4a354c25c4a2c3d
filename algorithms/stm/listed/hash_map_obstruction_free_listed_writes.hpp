// The hash map of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with
// lists of items, where a transaction takes the locks of what it writes alone.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_hash_map_obstruction_free_listed_writes =
    listed_obstruction_free_memory<objects, obstruction_free_faults{}, what_is_locked::written>;
}
struct hash_map_obstruction_free_listed_writes
    : stm::hash_map<stm::memory_of_hash_map_obstruction_free_listed_writes> {};
SIMT_SUBJECT(hash_map_obstruction_free_listed_writes);
