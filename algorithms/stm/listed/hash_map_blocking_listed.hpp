// The hash map of structures.hpp over the blocking STM of Cederman's thesis (2011) with lists
// of items.
#pragma once

#include "../structures.hpp"
#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_hash_map_blocking_listed = listed_blocking_memory<objects>;
}
struct hash_map_blocking_listed : stm::hash_map<stm::memory_of_hash_map_blocking_listed> {};
SIMT_SUBJECT(hash_map_blocking_listed);
