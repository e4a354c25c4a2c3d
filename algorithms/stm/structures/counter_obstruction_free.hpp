// The counter of structures.hpp, of one word, over the obstruction-free STM of Cederman's thesis
// (2011).
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_counter_obstruction_free = obstruction_free_memory<objects>;
}
struct counter_obstruction_free : stm::counter<stm::memory_of_counter_obstruction_free, 1> {};
SIMT_SUBJECT(counter_obstruction_free);
