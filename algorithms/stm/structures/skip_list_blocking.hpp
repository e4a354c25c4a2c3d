// The skip list of structures.hpp over the blocking STM of Cederman's thesis (2011).
#pragma once

#include "../blocking_memory.hpp"
#include "../structures.hpp"

namespace stm {
template <int objects>
using memory_of_skip_list_blocking = blocking_memory<objects>;
}
struct skip_list_blocking : stm::skip_list<stm::memory_of_skip_list_blocking> {};
SIMT_SUBJECT(skip_list_blocking);
