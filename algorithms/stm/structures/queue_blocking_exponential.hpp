// The queue of structures.hpp over the blocking STM of Cederman's thesis (2011), with exponential
// backoff.
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_queue_blocking_exponential = blocking_memory<objects>;
}
struct queue_blocking_exponential
    : stm::queue<stm::memory_of_queue_blocking_exponential, stm::exponential_backoff> {};
SIMT_SUBJECT(queue_blocking_exponential);
