// The hash map of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with
// lists of items.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_hash_map_obstruction_free_listed = listed_obstruction_free_memory<objects>;
}
struct hash_map_obstruction_free_listed
    : stm::hash_map<stm::memory_of_hash_map_obstruction_free_listed> {};
SIMT_SUBJECT(hash_map_obstruction_free_listed);
