// The pair counter of structures.hpp over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_pair_counter_blocking = blocking_memory<objects>;
}
struct pair_counter_blocking : stm::pair_counter<stm::memory_of_pair_counter_blocking> {};
SIMT_SUBJECT(pair_counter_blocking);
