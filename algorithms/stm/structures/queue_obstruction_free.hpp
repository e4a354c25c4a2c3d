// The queue of structures.hpp over the obstruction-free STM of Cederman's thesis (2011).
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_queue_obstruction_free = obstruction_free_memory<objects>;
}
struct queue_obstruction_free : stm::queue<stm::memory_of_queue_obstruction_free> {};
SIMT_SUBJECT(queue_obstruction_free);
