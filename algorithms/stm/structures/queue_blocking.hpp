// The queue of structures.hpp over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_queue_blocking = blocking_memory<objects>;
}
struct queue_blocking : stm::queue<stm::memory_of_queue_blocking> {};
SIMT_SUBJECT(queue_blocking);
