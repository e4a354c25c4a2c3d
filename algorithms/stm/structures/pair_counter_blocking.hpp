// The counter of structures.hpp, of two words, over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_pair_counter_blocking = blocking_memory<objects>;
}
struct pair_counter_blocking : stm::counter<stm::memory_of_pair_counter_blocking, 2> {};
SIMT_SUBJECT(pair_counter_blocking);
