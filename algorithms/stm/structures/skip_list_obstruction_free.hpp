// The skip list of structures.hpp over the obstruction-free STM of Cederman's thesis (2011).
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_skip_list_obstruction_free = obstruction_free_memory<objects>;
}
struct skip_list_obstruction_free : stm::skip_list<stm::memory_of_skip_list_obstruction_free> {};
SIMT_SUBJECT(skip_list_obstruction_free);
