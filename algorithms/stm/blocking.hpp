// The blocking STM of Cederman's thesis (2011), section 5.5; it validates what it has read behind
// the taking of locks.
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking = blocking_memory<objects>;
}
struct blocking : stm::words<stm::memory_of_blocking> {};
SIMT_SUBJECT(blocking);
