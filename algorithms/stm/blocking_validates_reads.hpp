// The blocking STM of Cederman's thesis; each read looks at all earlier ones again (section 5.4.4
// says that it is possible).
#pragma once

#include "blocking_memory.hpp"

namespace stm {
template <int objects>
using memory_of_blocking_validates_reads =
    blocking_memory<objects, blocking_choices{validated::read, true}>;
}
struct blocking_validates_reads : stm::words<stm::memory_of_blocking_validates_reads> {};
SIMT_SUBJECT(blocking_validates_reads);
