// The blocking STM of Cederman's thesis; it validates what it has read before it takes locks.
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_too_early =
    blocking_memory<objects, blocking_choices{validated::read_too_early}>;
}
struct blocking_too_early : stm::words<stm::memory_of_blocking_too_early> {};
SIMT_SUBJECT(blocking_too_early);
