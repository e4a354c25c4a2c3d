// The blocking STM of Cederman's thesis without validation: it takes locks whatever their version.
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_no_validation =
    blocking_memory<objects, blocking_choices{validated::nothing}>;
}
struct blocking_no_validation : stm::words<stm::memory_of_blocking_no_validation> {};
SIMT_SUBJECT(blocking_no_validation);
