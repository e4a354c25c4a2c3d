// The blocking STM of Cederman's thesis, section 5.5.4 to the letter: only what is updated is
// checked.
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_written = blocking_memory<objects, blocking_choices{validated::written}>;
}
struct blocking_written : stm::words<stm::memory_of_blocking_written> {};
SIMT_SUBJECT(blocking_written);
