// The counter of structures.hpp, of one word, over the obstruction-free STM of Cederman's thesis
// (2011), with linear backoff.
#pragma once

#include "../obstruction_free_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_counter_obstruction_free_linear = obstruction_free_memory<objects>;
}
struct counter_obstruction_free_linear
    : stm::counter<stm::memory_of_counter_obstruction_free_linear, 1, stm::linear_backoff> {};
SIMT_SUBJECT(counter_obstruction_free_linear);
