// The queue of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with lists
// of items, where a transaction takes the locks of what it writes alone.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_queue_obstruction_free_listed_writes =
    listed_obstruction_free_memory<objects, obstruction_free_faults{}, what_is_locked::written>;
}
struct queue_obstruction_free_listed_writes
    : stm::queue<stm::memory_of_queue_obstruction_free_listed_writes> {};
SIMT_SUBJECT(queue_obstruction_free_listed_writes);
