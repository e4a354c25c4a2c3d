// The queue of structures.hpp over the obstruction-free STM of Cederman's thesis (2011), with
// exponential backoff.
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_queue_obstruction_free_exponential = obstruction_free_memory<objects>;
}
struct queue_obstruction_free_exponential
    : stm::queue<stm::memory_of_queue_obstruction_free_exponential, stm::exponential_backoff> {};
SIMT_SUBJECT(queue_obstruction_free_exponential);
