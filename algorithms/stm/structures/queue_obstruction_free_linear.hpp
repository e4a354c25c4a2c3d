// The queue of structures.hpp over the obstruction-free STM of Cederman's thesis (2011), with
// linear backoff.
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_queue_obstruction_free_linear = obstruction_free_memory<objects>;
}
struct queue_obstruction_free_linear
    : stm::queue<stm::memory_of_queue_obstruction_free_linear, stm::linear_backoff> {};
SIMT_SUBJECT(queue_obstruction_free_linear);
