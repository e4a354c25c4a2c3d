// The queue of structures.hpp over the blocking STM of Cederman's thesis (2011) with lists
// of items.
#pragma once

#include "../structures.hpp"
#include "blocking_items.hpp"

namespace stm {
template <int objects>
using memory_of_queue_blocking_listed = listed_blocking_memory<objects>;
}
struct queue_blocking_listed : stm::queue<stm::memory_of_queue_blocking_listed> {};
SIMT_SUBJECT(queue_blocking_listed);
