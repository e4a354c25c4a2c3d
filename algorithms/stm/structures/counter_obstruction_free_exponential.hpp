// The counter of structures.hpp, of one word, over the obstruction-free STM of Cederman's thesis
// (2011), with exponential backoff.
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_counter_obstruction_free_exponential = obstruction_free_memory<objects>;
}
struct counter_obstruction_free_exponential
    : stm::counter<stm::memory_of_counter_obstruction_free_exponential, 1,
                   stm::exponential_backoff> {};
SIMT_SUBJECT(counter_obstruction_free_exponential);
