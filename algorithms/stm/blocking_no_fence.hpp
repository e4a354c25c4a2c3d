// The blocking STM of Cederman's thesis without a fence between the taking of locks and the
// validation of what was read.
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_no_fence =
    blocking_memory<objects, blocking_choices{validated::read, false, false, false}>;
}
struct blocking_no_fence : stm::words<stm::memory_of_blocking_no_fence> {};
SIMT_SUBJECT(blocking_no_fence);
