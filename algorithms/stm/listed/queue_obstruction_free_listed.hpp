// The queue of structures.hpp over the obstruction-free STM of Cederman's thesis (2011) with lists
// of items.
#pragma once

#include "../structures.hpp"
#include "obstruction_free_items.hpp"

namespace stm {
template <int objects>
using memory_of_queue_obstruction_free_listed = listed_obstruction_free_memory<objects>;
}
struct queue_obstruction_free_listed : stm::queue<stm::memory_of_queue_obstruction_free_listed> {};
SIMT_SUBJECT(queue_obstruction_free_listed);
