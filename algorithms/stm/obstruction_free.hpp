// The obstruction-free STM of Cederman's thesis (2011), section 5.4.1, after Harris and Fraser
// (2003).
#pragma once

#include "obstruction_free_memory.hpp"

namespace stm {
template <int objects>
using memory_of_obstruction_free = obstruction_free_memory<objects>;
}
struct obstruction_free : stm::words<stm::memory_of_obstruction_free> {};
SIMT_SUBJECT(obstruction_free);
